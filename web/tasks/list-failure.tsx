import { Notice } from '../ui/notice.tsx'

/** Stays where the toast went after a second: what failed, and another try. */
export const ListFailure = ({ reason, onRetry }: { reason: string; onRetry: () => void }) => (
  <Notice>
    <p>These tasks could not be loaded. {reason}</p>
    <button type="button" className="button" onClick={onRetry}>
      Try again
    </button>
  </Notice>
)
