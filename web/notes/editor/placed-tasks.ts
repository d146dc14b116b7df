import { isolateHistory, redo, undo, undoDepth } from '@codemirror/commands'
import { Transaction } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { PlacedTask } from './note-text-field.ts'

const commands = { undo, redo }

const isTyped = (transaction: Transaction) =>
  transaction.docChanged &&
  transaction.annotation(Transaction.addToHistory) !== false &&
  !transaction.isUserEvent('undo') &&
  !transaction.isUserEvent('redo')

/** The lines that became tasks. Undo and redo reach each at its depth in the history of typed changes. */
export function createPlacedTasks() {
  let tasks: (PlacedTask & { depth: number })[] = []
  let waiting: (keyof typeof commands)[] | undefined
  const reverseTask = (direction: keyof typeof commands) => (view: EditorView) => {
    if (waiting) return waiting.push(direction) > 0
    const depth = undoDepth(view.state)
    const here = tasks.filter((task) => task.depth === depth)
    const ordered = direction === 'undo' ? here.reverse() : here
    let reversed: Promise<void> | undefined
    for (const { reverse } of ordered) reversed ??= reverse(direction)
    if (!reversed) return false
    waiting = []
    reversed.finally(() => {
      const keys = waiting ?? []
      waiting = undefined
      for (const key of keys) if (!reverseTask(key)(view)) commands[key](view)
    })
    return true
  }

  return {
    keys: [
      { key: 'Mod-z', run: reverseTask('undo'), shift: reverseTask('redo') },
      { key: 'Mod-y', run: reverseTask('redo') },
    ],
    reverse: reverseTask,
    isEmpty: () => tasks.length === 0,
    /** Typing discards undone tasks, as it discards undone changes. */
    extension: EditorView.updateListener.of(({ transactions }) => {
      if (transactions.some(isTyped)) tasks = tasks.filter(({ isUndone }) => !isUndone())
    }),
    place(view: EditorView, task: PlacedTask) {
      tasks.push({ ...task, depth: undoDepth(view.state) })
      const { to: anchor } = view.state.doc.lineAt(view.state.selection.main.head)
      // The next typed text comes after the link, as a separate change.
      view.dispatch({ selection: { anchor }, annotations: isolateHistory.of('full') })
    },
  }
}
