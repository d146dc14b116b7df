import { useState } from 'react'
import { isBlank } from '#contract/blank.ts'
import { daysAfter, timeHere, todayHere } from '#contract/days.ts'
import { fold } from '#contract/folding.ts'
import { foldedTagsIn } from '#contract/tags.ts'
import type { Priority } from '#contract/task-fields.ts'
import { readTaskText } from '#contract/words/task-text.ts'
import type { QuickLines } from '../../engine/quick-lines.ts'
import { withTag } from '../../engine/verbs/tags.ts'
import { rest } from '../../parts/parts.ts'
import { useLoaded } from '../../ui/use-part.ts'

/** Words of the line that are text again, and words that were offered as a day and are chosen. */
type Decided = { dismissed: readonly string[]; chosen: string[] }

/** The values that a task gets for fields that its text does not name, and the tag that is added to its title. */
export type LineDefaults = { dueIn: number | null; priority: Priority; tag?: string | undefined }

type LineOptions = LineDefaults & { today: string; onDecided: () => void }

export function useLineWords(line: QuickLines, { today, dueIn, priority, tag, onDecided }: LineOptions) {
  const findDates = useLoaded(rest, false)?.findDates
  const [chosen, setChosen] = useState<string[]>([])
  const decided = { dismissed: line.dismissed, chosen }
  const { marks, offer } = readTaskText(line.text, {
    now: { today, time: timeHere() },
    findDates,
    ...decided,
  })

  function read(text: string, decided?: Decided) {
    const now = { today: todayHere(), time: timeHere() }
    const { title, set } = readTaskText(text, { now, findDates, ...decided })
    const dueDate = dueIn === null ? null : daysAfter(now.today, dueIn)
    const isTagged = tag === undefined || isBlank(title) || foldedTagsIn([title]).includes(fold(tag))
    return { title: isTagged ? title : withTag(title, tag), body: '', dueDate, priority, ...set }
  }

  function toText(words: string) {
    const others = chosen.filter((other) => other !== words.toLowerCase())
    if (others.length < chosen.length) setChosen(others)
    else line.dismiss(words)
    onDecided()
  }

  /** Returns whether words that mean something ended at the cursor. */
  function takeBack({ selectionStart, selectionEnd }: HTMLInputElement): boolean {
    const mark = marks.find(({ end }) => end === selectionStart && end === selectionEnd)
    if (mark) toText(mark.words)
    return mark !== undefined
  }

  function choose(words: string) {
    setChosen((others) => [...others, words.toLowerCase()])
    onDecided()
  }

  return { marks, offer, decided, read, toText, takeBack, choose, forgetChosen: () => setChosen([]) }
}
