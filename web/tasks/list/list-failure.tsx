import { Notice } from '../../ui/notice.tsx'

/** An error that stays after its toast has closed, with a button to try again. */
export const ListFailure = ({ text, onRetry }: { text: string; onRetry: () => void }) => (
  <Notice>
    <p>{text}</p>
    <button type="button" className="button" onClick={onRetry}>
      Try again
    </button>
  </Notice>
)
