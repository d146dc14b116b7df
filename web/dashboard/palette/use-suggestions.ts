import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Task } from '#contract/tasks.ts'
import { repeats } from '../../changes/changes.ts'
import { stop } from '../../changes/stop.tsx'
import { useGoToNote } from '../../notes/use-go-to-note.ts'
import { useWriteNote } from '../../notes/use-write-note.ts'
import { useParts } from '../../state/dashboard.tsx'
import { useDashboard, useGoToView } from '../../state/dashboard-state.tsx'
import { idOf } from '../../tasks/cards.ts'
import { pathOf, searchPath, viewNames, views } from '../../views/views.ts'
import { pressCardKey } from '../card-keys.ts'
import { focusSearch, useQuickLine } from '../input-focus.ts'
import { command, itemSuggestions, type Suggestion } from './find-suggestions.ts'

/** All suggestions of the palette, as they are when it opens, and the function that runs one. */
export function useSuggestions() {
  const dashboard = useParts()
  const navigate = useNavigate()
  const goTo = useGoToView()
  const open = useDashboard((state) => state.open)
  const goToNote = useGoToNote()
  const writeNote = useWriteNote()
  const writeLine = useQuickLine()
  const { reverse } = dashboard.undo
  const { selection } = dashboard

  const find = (text: string) => navigate(searchPath({ pathname: pathOf('today'), search: '' }, text))

  /** The commands for the task of the card that had the focus. */
  function cardSuggestions(): Suggestion[] {
    const card = document.activeElement?.closest<HTMLElement>('[data-task]')
    const task = card && dashboard.store.task(idOf(card))
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
      ...commands.map(([label, key]) => command(`${label} “${task.title}”`, press(key), key)),
      ...repeatSuggestions(task),
      command(`Select “${task.title}”`, () => selection.getState().toggle(task._id), 's'),
    ]
  }

  /** The commands for an open task that repeats. */
  function repeatSuggestions(task: Task): Suggestion[] {
    if (task.repeat === null || task.doneAt !== null) return []
    const { make } = dashboard.changes
    const skipped = repeats.skipThis?.(task)
    return [
      ...(skipped ? [command(`Skip “${task.title}” once`, () => make([skipped]), 'm k')] : []),
      command(`Stop repeating “${task.title}”`, () => make([stop(task)]), 'm r'),
    ]
  }

  const [suggestions] = useState((): Suggestion[] => [
    ...cardSuggestions(),
    ...viewNames.map((name) => command(views[name].label, () => goTo(name), views[name].key)),
    command('Add a task', () => open({ name: 'addTask' }), 'n'),
    command('Type a task into the quick line', writeLine, 'q'),
    command('Write a note', writeNote, 'w'),
    command('Search', () => focusSearch(), '/'),
    command('Undo the last change', () => reverse('undo'), 'Ctrl+Z'),
    command('Redo', () => reverse('redo'), 'Ctrl+Shift+Z'),
    command('Review overdue tasks', () => open({ name: 'review' })),
    command('Import', () => open({ name: 'importFiles' })),
    command('Account and settings', () => open({ name: 'account' })),
    command('Keys', () => open({ name: 'keys' }), '?'),
    ...itemSuggestions(dashboard.tags.all(), dashboard.store.tasks(), dashboard.store.notes(false)),
  ])

  return {
    suggestions,
    /** Looks for the words in all texts. */
    search: (query: string) => command(`Search all texts for “${query.trim()}”`, () => find(query)),
    choose(suggestion: Suggestion) {
      if (suggestion.kind === 'command') suggestion.run()
      else if (suggestion.kind === 'tag') find(suggestion.label)
      else if (suggestion.kind === 'task') open({ name: 'editTask', task: suggestion.task })
      else goToNote(suggestion.id)
    },
  }
}
