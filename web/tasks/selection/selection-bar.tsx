import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from 'zustand'
import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../../engine/entry.ts'
import { complete, remove, reopen } from '../../engine/verbs/complete.ts'
import { move, prioritise } from '../../engine/verbs/plan.ts'
import { tag } from '../../engine/verbs/tags.ts'
import { labelFor, type OfferedVerb } from '../../engine/verbs/verb.ts'
import { useSettings } from '../../settings/settings-store.ts'
import { useDashboard, useIsDialogOpen } from '../../state/dashboard-state.tsx'
import { useEngine } from '../../state/use-engine.tsx'
import { Button, IconButton, LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { hasTextFieldFocus, pressedKey } from '../../ui/pressed-key.ts'
import { useKeyDown } from '../../ui/use-key-down.ts'
import { changeSelected, focusFirst, idOf, selectableCards } from '../cards.ts'
import { loadPlanningDialogs } from '../planning/load-planning-dialogs.ts'
import { countTasks } from '../sentence.tsx'

type Action = [verb: OfferedVerb, run: () => unknown]

export function SelectionBar() {
  const engine = useEngine()
  const { ids, anchor, clear } = useStore(engine.selection)
  const open = useDashboard((state) => state.open)
  const bar = useRef<HTMLElement>(null)
  useFocusOnLeaving(bar, ids)
  useCardInView(anchor?.id)
  useEffect(() => void loadPlanningDialogs().catch(() => {}), [])

  const tasks = [...ids].flatMap((id) => engine.store.task(id) ?? [])
  const openTasks = tasks.filter(move.isPossible)
  const done = tasks.some(complete.isPossible) ? complete : reopen
  const changeAll = (make: (task: Task) => NewChange) => changeSelected(engine, tasks.map(make))

  const cards = selectableCards().map(idOf)
  const folded = document.querySelector<HTMLElement>('[data-folded]')
  /** If all cards are selected, how many tasks there would be with the folded ones. Otherwise 0. */
  const all = cards.every((id) => ids.has(id)) ? ids.size + Number(folded?.dataset.folded ?? 0) : 0
  function selectFolded() {
    flushSync(() => folded?.click())
    engine.selection.getState().selectAll(selectableCards().map(idOf))
    focusFirst(ids)
  }

  const count = countTasks(tasks.length)
  const actions: Action[] = [
    [done, () => changeAll(done.make)],
    [move, () => openTasks.length > 0 && open({ name: 'moveTask', tasks: openTasks })],
    [prioritise, () => open({ name: 'priority', tasks })],
    [tag, () => open({ name: 'tag', tasks })],
    [remove, () => changeAll((task) => remove.make(task))],
  ]
  useSelectionKeys(actions, clear)

  return (
    <section ref={bar} className="message edged row selection-bar" aria-label="Selection" data-selection>
      <IconButton icon="close" label="Clear selection" onClick={clear} />
      <p className="selection-count strong">
        {ids.size}
        <span> selected</span>
        {all > ids.size && (
          <>
            {' · '}
            <LinkButton aria-label={`Select all ${all}`} onClick={selectFolded}>
              all {all}
            </LinkButton>
          </>
        )}
      </p>
      {actions.map(([verb, run]) => (
        <Button
          key={verb.key}
          className="button button-quiet button-small"
          data-action={verb.name}
          aria-label={labelFor(verb, count)}
          aria-keyshortcuts={verb.key}
          // The second click of a double click would press the button that appears after the first.
          onClick={({ detail }) => detail < 2 && run()}
        >
          <Icon name={verb.icon} />
          <span className="selection-label">{verb.label}</span>
        </Button>
      ))}
    </section>
  )
}

/** Before the keys of the focused card and Escape in a search, which ignore handled keys. */
function useSelectionKeys(actions: readonly Action[], clear: () => void) {
  const { keys: isListening } = useSettings()
  const isDialogOpen = useIsDialogOpen()
  const press = (event: KeyboardEvent) => {
    const isModified = event.ctrlKey || event.metaKey || event.altKey
    if (isDialogOpen || isModified || event.repeat || hasTextFieldFocus(event)) return
    const pressed = pressedKey(event)
    const action = isListening && actions.find(([{ key }]) => key === pressed)
    if (pressed !== 'Escape' && !action) return
    event.preventDefault()
    if (action) action[1]()
    else clear()
  }
  useKeyDown(true, press, true)
}

/** Scrolls a card out from under the bar when it is selected by itself. */
function useCardInView(id: string | undefined) {
  useEffect(() => {
    const card = selectableCards().find((card) => idOf(card) === id)
    card?.scrollIntoView({ block: 'nearest' })
  }, [id])
}

function useFocusOnLeaving(bar: { current: HTMLElement | null }, ids: ReadonlySet<string>) {
  const focusCard = useEffectEvent(() => focusFirst(ids))
  useLayoutEffect(() => {
    const shown = bar.current
    return () => {
      if (shown?.contains(document.activeElement)) focusCard()
    }
  }, [bar])
}
