import { useState } from 'react'
import { logOut } from '../api/held-session.ts'
import type { Unsent } from '../engine/kept/unsent-storage.ts'
import { namesOf } from '../engine/unsent-names.ts'
import { loadDocuments } from '../engine/unsent-notes.ts'
import { useEngine } from '../state/use-engine.tsx'
import { Quoted } from '../tasks/sentence.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, type OpenProps } from '../ui/dialog.tsx'
import { typedText } from '../ui/held-keys.ts'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'

export function LogOutDialog({ open, onClose }: OpenProps) {
  const engine = useEngine()
  const others = othersUnsent(engine.unsent, 'Logging out')
  const [unsaved] = useState(() => [...namesOf(engine), ...[typedText()].filter(Boolean)])
  const [leave] = useOneAtATime(async () => {
    // So that no draft of them is written after the logout.
    if (engine.waiting.notes().length > 0)
      await loadDocuments(engine)
        .then((documents) => documents.discardAll())
        .catch(console.error)
    logOut()
  })
  return (
    <Dialog open={open} onClose={onClose} title="Log out and discard?">
      <div className="task-form stack airy log-out">
        {unsaved.length > 0 && (
          <>
            <p>This is only in this browser. Logging out removes it.</p>
            <ul>
              {unsaved.map((name, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two drafts may have the same name, and the list does not change
                <li key={index} className="soft">
                  <Quoted>{name}</Quoted>
                </li>
              ))}
            </ul>
          </>
        )}
        {others && <p>{others}</p>}
        <footer className="dialog-footer wraps">
          <Button onClick={onClose}>Stay</Button>
          <Button className="button button-danger" onClick={leave}>
            Log out and discard
          </Button>
        </footer>
      </div>
    </Dialog>
  )
}

/** Empty if this browser keeps nothing for other accounts. `removal`: what would remove it. */
export function othersUnsent({ countOfOthers }: Unsent, removal: string): string {
  const count = countOfOthers()
  if (count === 0) return ''
  const [what, it] =
    count === 1
      ? ['One change of another account was', 'it']
      : [`${count} changes of another account were`, 'them']
  return `${what} not sent. ${removal} removes ${it} from this browser. To keep ${it}, ask them to log in here first.`
}
