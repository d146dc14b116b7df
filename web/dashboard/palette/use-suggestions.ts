import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { themes } from '#contract/settings.ts'
import { edit } from '../../engine/verbs/add-edit.ts'
import { complete, remove, reopen } from '../../engine/verbs/complete.ts'
import { move, prioritise, skip, stop } from '../../engine/verbs/plan.ts'
import { type AnyVerb, labelFor, offered } from '../../engine/verbs/verb.ts'
import { useGoToNote, useWriteNote } from '../../notes/use-go-to-note.ts'
import { changeSettings } from '../../settings/settings-store.ts'
import { useDashboard, useGoToView } from '../../state/dashboard-state.tsx'
import { useEngine, useStored } from '../../state/use-engine.tsx'
import { idOf } from '../../tasks/cards.ts'
import { keysKey, quickLineKey, searchKey, selectKey, writeNoteKey } from '../../views/command-keys.ts'
import { pathOf, searchPath, tagPath, viewNames, views } from '../../views/views.ts'
import { pressCardKey } from '../card-keys.ts'
import { focusSearch, useQuickLine } from '../input-focus.ts'
import { command, itemSuggestions, type Suggestion } from './find-suggestions.ts'

const themeLabels = { system: 'Theme of the system', light: 'Light theme', dark: 'Dark theme' }

/** Edit is first, because Enter alone runs the first one. */
const onCard = [edit, complete, reopen, move, prioritise, remove]

export function useSuggestions() {
  const engine = useEngine()
  const navigate = useNavigate()
  const goTo = useGoToView()
  const open = useDashboard((state) => state.open)
  const goToNote = useGoToNote()
  const writeNote = useWriteNote()
  const writeLine = useQuickLine()
  const { reverseRun } = engine.undo
  const { selection } = engine

  const find = (text: string) => navigate(searchPath({ pathname: pathOf('today'), search: '' }, text))

  function cardSuggestions(): Suggestion[] {
    const card = document.activeElement?.closest<HTMLElement>('[data-task]')
    const task = card && engine.store.task(idOf(card))
    if (!task) return []
    // The dialog gives the focus back to the card.
    const press = (key: string) => () => void pressCardKey({ key, shiftKey: false }, selection.getState())
    const offer = (verb: AnyVerb & { key: string }, run: () => unknown = press(verb.key)) =>
      command(labelFor({ ...verb, labelOf: verb.command ?? verb.labelOf }, `“${task.title}”`), run, verb)
    const { make } = engine.changes
    const skipped = skip.isPossible(task) && engine.repeats.skipThis?.(task)
    return [
      ...onCard.filter(({ isPossible }) => isPossible(task)).map((verb) => offer(verb)),
      ...(skipped ? [offer(skip, () => make([skipped]))] : []),
      ...(stop.isPossible(task) ? [offer(stop, () => make([stop.make(task)]))] : []),
      command(`Select “${task.title}”`, () => selection.getState().toggle(task._id), { key: selectKey }),
    ]
  }

  const [commands] = useState((): Suggestion[] => [
    ...cardSuggestions(),
    ...viewNames.map((name) => {
      const { label, key, icon } = views[name]
      return command(label, () => goTo(name), { key, icon, isPlace: true })
    }),
    command(offered.add.label, () => open({ name: 'addTask' }), { ...offered.add, also: 'new create' }),
    command('Type a task into the quick line', writeLine, {
      key: quickLineKey,
      icon: 'plus',
      also: 'new add',
    }),
    command('Write a note', writeNote, { key: writeNoteKey, icon: 'notes', also: 'new add create' }),
    command('Search', () => focusSearch(), { key: searchKey, icon: 'search', also: 'find' }),
    command('Undo the last change', () => reverseRun('undo'), {
      key: 'Ctrl+Z',
      icon: 'undo',
      also: 'take back',
    }),
    command('Redo', () => reverseRun('redo'), { key: 'Ctrl+Shift+Z', icon: 'undo' }),
    command('Review overdue tasks', () => open({ name: 'review' }), { icon: 'upcoming', also: 'late' }),
    command('Import', () => open({ name: 'importFiles' }), { icon: 'list' }),
    command('Account and settings', () => open({ name: 'account' }), {
      icon: 'account',
      also: 'preferences options password',
    }),
    ...themes.map((theme) =>
      command(themeLabels[theme], () => changeSettings({ theme }), {
        icon: 'today',
        also: 'mode color colour',
      }),
    ),
    command('Keys', () => open({ name: 'keys' }), { key: keysKey, icon: 'keyboard', also: 'shortcuts help' }),
    command('Logout', () => document.querySelector<HTMLElement>('[data-action="logout"]')?.click(), {
      icon: 'logout',
      also: 'log out sign out',
    }),
  ])
  const isComplete = useStored((store) => store.isComplete)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that was just opened gets its items while the palette is open
  const suggestions = useMemo(() => {
    const { tags, store } = engine
    return [...commands, ...itemSuggestions(tags.all(), store.tasks(), store.notes(false))]
  }, [commands, engine, isComplete])

  return {
    suggestions,
    search: (query: string) =>
      command(`Search all texts for “${query.trim()}”`, () => find(query), { icon: 'search' }),
    choose(suggestion: Suggestion) {
      if (suggestion.kind === 'command') suggestion.run()
      else if (suggestion.kind === 'tag') navigate(tagPath(suggestion.label))
      else if (suggestion.kind === 'task') open({ name: 'editTask', task: suggestion.task })
      else goToNote(suggestion.id)
    },
  }
}
