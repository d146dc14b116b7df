import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type SubmitEvent, useEffect, useId, useRef } from 'react'
import { useStore } from 'zustand'
import type { Priority } from '#contract/tasks.ts'
import { daysAfter, todayHere, useToday } from '../../ui/civil-day.ts'
import { Icon } from '../../ui/icon.tsx'
import { DraftOffer } from '../form/draft-offer.tsx'
import { TagCompletion } from '../form/tag-completion.tsx'
import { useAddTask } from '../mutations.ts'
import { QuickChip } from './quick-chip.tsx'
import { quickLinesOf } from './quick-lines.ts'
import { readQuickText } from './quick-text.ts'
import { UnsentLines } from './unsent-lines.tsx'
import { useDateWords } from './use-date-words.ts'
import './quick-add.css'

/** What a task gets that its text does not name. */
type QuickAddProps = { dueIn: number; priority: Priority; hint: string }

/** One line that adds a task by Enter and is free for the next one at once. */
export function QuickAdd({ dueIn, priority, hint }: QuickAddProps) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const lines = quickLinesOf(useQueryClient())
  const { text, dismissed, reason, type, dismiss, enter, ...drafts } = useStore(lines)
  const { offered, lookUpOffers, restore, discardOffer } = drafts
  // Not during rendering: the prerendered page has no storage.
  useEffect(lookUpOffers, [lookUpOffers])
  const { mutateAsync: send } = useAddTask()
  const { findDates, load } = useDateWords()
  const today = useToday()
  const { marks } = readQuickText(text, { today, dismissed, findDates })

  function add(event: SubmitEvent) {
    event.preventDefault()
    const now = todayHere()
    const { title, marks } = readQuickText(text, { today: now, dismissed, findDates })
    if (title === '') return
    const named = Object.fromEntries(marks.map(({ field, value }) => [field, value]))
    enter({ title, body: '', dueDate: daysAfter(now, dueIn), priority, ...named }, send)
  }

  function toText(words: string) {
    dismiss(words)
    box.current?.focus()
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    // Some browsers report the Enter that ends a composition after its end, with this code.
    const isComposing = event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229
    if (event.key === 'Enter' && (isComposing || event.repeat)) event.preventDefault()
    if (isComposing) return
    if (event.key === 'Escape') event.currentTarget.blur()
    if (event.key === 'Backspace' && !event.repeat && !isModified(event)) {
      const { selectionStart, selectionEnd } = event.currentTarget
      const mark = marks.find(({ end }) => end === selectionStart && end === selectionEnd)
      if (!mark) return
      event.preventDefault()
      dismiss(mark.words)
    }
  }

  return (
    <form className="quick-add" onSubmit={add}>
      <div className="quick-line" data-failed={reason !== undefined}>
        <Icon name="plus" />
        <TagCompletion>
          <input
            ref={box}
            value={text}
            aria-label="Quick add"
            aria-keyshortcuts="q"
            aria-invalid={reason !== undefined}
            aria-describedby={reason === undefined ? undefined : `${id}-reason`}
            data-quick-add
            placeholder={hint}
            autoComplete="off"
            enterKeyHint="done"
            dir="auto"
            onFocus={load}
            onKeyDown={press}
            onChange={({ target }) => type(target.value)}
          />
        </TagCompletion>
        {marks.map((mark) => (
          <QuickChip key={mark.field} mark={mark} today={today} onRemove={() => toText(mark.words)} />
        ))}
      </div>
      <p id={`${id}-reason`} role="status" className="quick-failure">
        {reason !== undefined && `The task was not added; press Enter to send it again. ${reason}`}
      </p>
      <UnsentLines lines={lines} send={send} />
      <DraftOffer offered={offered?.[0]} restore={restore} discard={discardOffer} />
    </form>
  )
}

const isModified = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
