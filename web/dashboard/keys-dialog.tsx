import { offered } from '../engine/verbs/verb.ts'
import { changeSettings, useSettings } from '../settings/settings-store.ts'
import { daysToChoose, noDay } from '../tasks/form/due-shortcuts.tsx'
import { lineExamples } from '../tasks/quick-add/line-examples.ts'
import { Dialog, type OpenProps } from '../ui/dialog.tsx'
import { keysKey, quickLineKey, searchKey, selectKey, writeNoteKey } from '../views/command-keys.ts'
import { views } from '../views/views.ts'
import '../ui/kbd.css'
import './keys-dialog.css'

const days = [...daysToChoose(''), noDay].map(({ key, label }) => `${key} ${label.toLowerCase()}`)

const keys = [
  ['Ctrl+K', 'Find any command, view, task, note or tag'],
  [offered.add.key, offered.add.label],
  [writeNoteKey, 'Write a note'],
  [quickLineKey, 'Type a task into the line above the list'],
  [searchKey, 'Search'],
  ...Object.values(views).map(({ key, label }) => [key, label]),
  ['↑ ↓  k j', 'Previous, next card; Home and End: first, last'],
  [selectKey, 'Select the task that has the focus'],
  ['Shift+↑ ↓', 'Select the previous, next card too; Ctrl+A: all'],
  [offered.complete.key, 'Complete the task that has the focus, or all that are selected'],
  [
    offered.move.key,
    `Move them: type a day, or a letter: ${days.join(', ')}, ${offered.skip.key.slice(-1)} skip repeats, ${offered.stop.key.slice(-1)} stop them; then Enter`,
  ],
  [offered.prioritise.key, 'Change their priority; then 1, 2 or 3'],
  [offered.tag.key, 'Add a tag to all that are selected'],
  [offered.delete.key, 'Delete them'],
  ['Escape', 'Select nothing'],
  [offered.edit.key, 'Edit the task that has the focus; Enter on its card too'],
  [
    '↑ ↓  k j',
    'In the list of notes: show the previous, next note; Enter or →: write in it; Escape: back to the list',
  ],
  ['Ctrl+Z', 'Undo what the bar says, or the last change; with Shift, redo it'],
  ['Ctrl+Shift+Enter', 'In a note: make the line a task'],
  ['Ctrl+Enter', 'In a note: tick the line'],
  ['Alt+Enter', 'In a note: fold the section of the caret, or show it again'],
  [keysKey, 'Show these keys'],
]

const gestures = [
  ['Swipe to the right', 'Complete the task'],
  ['Swipe to the left', 'Move it to another day'],
  ['Long press', 'Select it; then taps select others'],
  ['Ctrl+click, Shift+click', 'Select it, or all up to it'],
  ['Press the priority', 'Change it'],
  ['Drag onto the calendar', 'Move the task to that day'],
] as const

const lists = [
  ['In the line above the list', lineExamples],
  ['With a finger or a mouse', gestures],
] as const

/** Single keys can be turned off: people who use speech input may press some by accident. */
export function KeysDialog({ open, onClose }: OpenProps) {
  const { keys: listening } = useSettings()
  return (
    <Dialog open={open} onClose={onClose} title="Keys">
      <div className="keys">
        <dl>
          {keys.map(([key, meaning]) => (
            <div key={key}>
              <dt>
                <kbd>{key?.replaceAll('+', '+\u200b')}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        {lists.map(([heading, entries]) => (
          <section key={heading} className="stack">
            <h3>{heading}</h3>
            <ul className="stack">
              {entries.map(([example, meaning]) => (
                <li key={example}>
                  {example} <small className="block soft small">{meaning}</small>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <label className="row soft">
          <input type="checkbox" checked={listening} onChange={() => changeSettings({ keys: !listening })} />
          Single-key shortcuts
        </label>
      </div>
    </Dialog>
  )
}
