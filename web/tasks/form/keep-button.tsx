import { isUnreachable } from '../task-errors.ts'

type KeepButtonProps = { error: Error | null; onKeep: () => void }

/** Puts a change whose call failed because there is no network into the outbox. */
export const KeepButton = ({ error, onKeep }: KeepButtonProps) =>
  isUnreachable(error) && (
    <button type="button" className="link-button" onClick={onKeep}>
      Keep and send later
    </button>
  )
