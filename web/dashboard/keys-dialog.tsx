import { changeSettings, useSettings } from '../settings/settings-store.ts'
import { useDashboard, useIsOpen } from '../state/dashboard-state.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { views } from '../views/views.ts'
import { useKeys } from './use-keys.ts'
import './keys-dialog.css'

const keys = [
  ['n', 'Add a task'],
  ['w', 'Write a note'],
  ['q', 'Type a task into the line above the list'],
  ['/', 'Search'],
  ...Object.values(views).map(({ key, label }) => [key, label]),
  ['↑ ↓', 'Go from card to card; Home and End, to the ends'],
  ['x', 'Complete the task that has the focus'],
  ['m', 'Move the task that has the focus to another day'],
  ['e', 'Edit it; on the card, Enter too'],
  ['Delete', 'Delete it'],
  ['Ctrl+Z', 'Undo the last change; with Shift, redo it'],
  ['Ctrl+Shift+Enter', 'In a note: make the line a task'],
  ['Ctrl+Enter', 'In a note: tick the line'],
  ['?', 'Show these keys'],
]

/** Lists the keys, and turns them off: people who use speech input may press some by accident. */
export function KeysDialog() {
  const open = useIsOpen('keys')
  const close = useDashboard((state) => state.close)
  const { keys: listening } = useSettings()
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
          <input type="checkbox" checked={listening} onChange={() => changeSettings({ keys: !listening })} />
          Listen to these keys
        </label>
      </div>
    </Dialog>
  )
}
