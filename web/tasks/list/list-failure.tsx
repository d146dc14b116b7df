import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** An error that stays after its toast has closed, with a button to try again. */
export const ListFailure = ({ text, onRetry }: { text: string; onRetry: () => void }) => (
  <Notice>
    <p>{text}</p>
    <Button onClick={onRetry}>Try again</Button>
  </Notice>
)
