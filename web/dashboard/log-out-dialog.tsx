import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { Dialog } from '../ui/dialog.tsx'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { logOut } from './log-out.ts'
import { countOfOthers } from './unsaved-names.ts'
import { discardNotes } from './use-unsent-notes.ts'
import './log-out-dialog.css'

type LogOutDialogProps = {
  open: boolean
  onClose: () => void
  /** The names of the drafts that only this browser has. */
  unsaved: string[]
}

/** Asks before unsaved tasks and notes are removed from this browser, which logging out does. */
export function LogOutDialog({ open, onClose, unsaved }: LogOutDialogProps) {
  const navigate = useNavigate()
  const others = countOfOthers()
  const queryClient = useQueryClient()
  const [leave] = useOneAtATime(async () => {
    await discardNotes(queryClient)
    logOut(navigate)
  })
  return (
    <Dialog open={open} onClose={onClose} title="Log out and discard?">
      <div className="log-out">
        {unsaved.length > 0 && (
          <>
            <p>This was typed here and not saved. Logging out removes it from this browser.</p>
            <ul>
              {unsaved.map((name, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two drafts may have the same name, and the list does not change
                <li key={index}>
                  “<bdi>{name}</bdi>”
                </li>
              ))}
            </ul>
          </>
        )}
        {others > 0 && (
          <p>
            {others === 1 ? 'One change' : `${others} changes`} of another account{' '}
            {others === 1 ? 'was' : 'were'} not sent. Logging out removes {others === 1 ? 'it' : 'them'} from
            this browser. To keep {others === 1 ? 'it' : 'them'}, let that person log in here first.
          </p>
        )}
        <footer className="dialog-footer">
          <button type="button" className="button" onClick={onClose}>
            Stay
          </button>
          <button type="button" className="button button-danger" onClick={leave}>
            Log out and discard
          </button>
        </footer>
      </div>
    </Dialog>
  )
}
