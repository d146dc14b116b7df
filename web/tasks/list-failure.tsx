import { Notice } from '../ui/notice.tsx'

/** Stays where the toast went after a second: what failed, and another try. */
export const ListFailure = ({ text, onRetry }: { text: string; onRetry: () => void }) => (
  <Notice>
    <p>{text}</p>
    <button type="button" className="button" onClick={onRetry}>
      Try again
    </button>
  </Notice>
)
