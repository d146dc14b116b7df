import { useState } from 'react'
import { useDashboard, useIsOpen } from '../state/dashboard-state.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { views } from '../views/views.ts'
import { useKeys } from './use-keys.ts'
import './keys-dialog.css'

const keys = [
  ['n', 'Add a task'],
  ...Object.values(views).map(({ key, label }) => [key, label]),
  ['?', 'Show these keys'],
]

/** Lists the keys, and turns them off: people who use speech input may press some by accident. */
export function KeysDialog() {
  const open = useIsOpen('keys')
  const close = useDashboard((state) => state.close)
  const [listening, setListening] = useState(true)
  useKeys(listening)
  return (
    <Dialog open={open} onClose={() => close('keys')} title="Keys">
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
