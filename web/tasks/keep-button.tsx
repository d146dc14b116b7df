import { isUnreachable } from '../store/change-errors.ts'

type KeepButtonProps = { error: Error | undefined; onKeep: () => void }

/** Puts a change whose call failed because there is no network into the journal. */
export const KeepButton = ({ error, onKeep }: KeepButtonProps) =>
  isUnreachable(error) && (
    <button type="button" className="link-button" onClick={onKeep}>
      Keep and send later
    </button>
  )
