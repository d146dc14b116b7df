import { useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { useKeys } from './use-keys.ts'

const keys = [
  ['n', 'Add a task'],
  ['1', 'Today'],
  ['2', 'Latest'],
  ['3', 'Priority'],
  ['?', 'Show these keys'],
]

type KeysDialogProps = { open: boolean; setOpen: (open: boolean) => void }

/** Which keys there are, and a way to do without them: who speaks to the computer may press some by accident. */
export function KeysDialog({ open, setOpen }: KeysDialogProps) {
  const [listening, setListening] = useState(true)
  useKeys(listening, () => setOpen(true))
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title="Keys">
      <div className="keys">
        <dl>
          {keys.map(([key, meaning]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <label>
          <input type="checkbox" checked={listening} onChange={() => setListening(!listening)} />
          Listen to these keys
        </label>
      </div>
    </Dialog>
  )
}
