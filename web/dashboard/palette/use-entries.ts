import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useUndo } from '../../changes/undo.ts'
import { notePath } from '../../notes/note-path.ts'
import { useWriteNote } from '../../notes/use-write-note.ts'
import { useDashboard, useGoToView } from '../../state/dashboard-state.tsx'
import { tagsOf } from '../../store/tags.ts'
import { storeOf } from '../../store/use-store.ts'
import { idOf } from '../../tasks/cards.ts'
import { selectionOf } from '../../tasks/selection.ts'
import { pathOf, searchPath, viewNames, views } from '../../views/views.ts'
import { pressCardKey } from '../card-keys.ts'
import { focusSearch, useQuickLine } from '../input-focus.ts'
import { commandEntry, itemEntries, type PaletteEntry } from './find-entries.ts'

/** All entries of the palette, as they are when it opens, and the function that runs one. */
export function useEntries() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const goTo = useGoToView()
  const open = useDashboard((state) => state.open)
  const writeNote = useWriteNote()
  const writeLine = useQuickLine()
  const { reverse } = useUndo()
  const selection = selectionOf(queryClient)

  const find = (text: string) => navigate(searchPath({ pathname: pathOf('today'), search: '' }, text))

  /** The commands for the task of the card that had the focus. */
  function cardEntries(): PaletteEntry[] {
    const card = document.activeElement?.closest<HTMLElement>('[data-task]')
    const task = card && storeOf(queryClient).task(idOf(card))
    if (!task) return []
    // The dialog gives the focus back to the card.
    const press = (key: string) => () => void pressCardKey({ key, shiftKey: false }, selection.getState())
    const commands = [
      // First, because Enter alone runs it.
      ['Edit', 'e'],
      [task.doneAt === null ? 'Complete' : 'Reopen', 'x'],
      ['Move', 'm'],
      ['Change the priority of', 'p'],
      ['Delete', 'Delete'],
    ] as const
    return [
      ...commands.map(([label, key]) => commandEntry(`${label} “${task.title}”`, press(key), key)),
      commandEntry(`Select “${task.title}”`, () => selection.getState().toggle(task._id), 's'),
    ]
  }

  const [entries] = useState((): PaletteEntry[] => [
    ...cardEntries(),
    ...viewNames.map((name) => commandEntry(views[name].label, () => goTo(name), views[name].key)),
    commandEntry('Add a task', () => open({ name: 'addTask' }), 'n'),
    commandEntry('Type a task into the quick line', writeLine, 'q'),
    commandEntry('Write a note', writeNote, 'w'),
    commandEntry('Search', () => focusSearch(), '/'),
    commandEntry('Undo the last change', () => reverse('undo'), 'Ctrl+Z'),
    commandEntry('Redo', () => reverse('redo'), 'Ctrl+Shift+Z'),
    commandEntry('Review overdue tasks', () => open({ name: 'review' })),
    commandEntry('Account and settings', () => open({ name: 'account' })),
    commandEntry('Keys', () => open({ name: 'keys' }), '?'),
    ...itemEntries(
      tagsOf(queryClient).all(),
      storeOf(queryClient).tasks(),
      storeOf(queryClient).notes(false),
    ),
  ])

  return {
    entries,
    /** Looks for the words in all texts. */
    search: (query: string) => commandEntry(`Search all texts for “${query.trim()}”`, () => find(query)),
    choose(entry: PaletteEntry) {
      if (entry.kind === 'command') entry.run()
      else if (entry.kind === 'tag') find(entry.label)
      else if (entry.kind === 'task') open({ name: 'editTask', task: entry.task })
      else navigate(notePath(entry.id))
    },
  }
}
