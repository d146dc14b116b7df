import { useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { useKeys } from './use-keys.ts'

const keys = [
  ['n', 'Add a task'],
  ['1', 'Today'],
  ['2', 'Latest'],
  ['3', 'Priority'],
  ['?', 'Show these keys'],
  ['Esc', 'Close what is open'],
  ['Alt + T', 'Go to the notification'],
]

/** Opened by `?`: which keys there are. */
export function KeysDialog() {
  const [open, setOpen] = useState(false)
  useKeys(() => setOpen(true))
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title="Keys">
      <dl className="keys">
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
