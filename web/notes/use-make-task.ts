import { type RefObject, useRef } from 'react'
import { timeHere, todayHere } from '#contract/days.ts'
import { titleLength } from '#contract/limits.ts'
import { defaultPriority } from '#contract/lists.ts'
import { readTaskText } from '#contract/words/task-text.ts'
import { randomId } from '../engine/entry.ts'
import { makeLineTask, showLink } from '../engine/notes/linked-line.ts'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { linkTo, taskLinkIn, taskOfLine, withoutTaskLink } from '../engine/notes/task-line.ts'
import type { Direction, Step } from '../engine/undo-history.ts'
import { rest } from '../parts/parts.ts'
import { useEngine } from '../state/use-engine.tsx'
import type { CaretLine, NoteTextField, PlacedTask } from './editor/note-text-field.ts'
import type { LinkedItems } from './markdown/linked-items.ts'
import { titleOfText } from './markdown/plain-text.ts'

type TaskOfLine = NonNullable<ReturnType<typeof taskOfLine>>
type Attempt = { line: CaretLine; task: string; done: Promise<void> }

/** Returns the function that makes a line a task, due today unless the line names a day. Undo has its place among typed changes. */
export function useMakeTask(
  note: NoteDocument,
  { field, linked }: { field: RefObject<NoteTextField | undefined>; linked: LinkedItems },
  onFailure: (reason: string | undefined) => void,
) {
  const engine = useEngine()
  const { history, undo } = engine
  /** In the order of their key presses. Each waits for the previous one. */
  const attempts = useRef<Attempt[]>([])

  async function make(line: CaretLine, task: string, { before, title: text, isDone }: TaskOfLine) {
    const { title: whole, set } = await readLine(text)
    const title = [...whole].slice(0, titleLength.max).join('')
    const body = linkTo(titleOfText(note.text), `note:${note.id}`)
    const made = {
      task,
      set: { ...set, title, body, ...(isDone && { done: true }) },
      line: {
        ...{ note: note.id, number: line.number, plain: line.text },
        linked: before + linkTo(whole, `task:${task}`),
      },
    }
    makeLineTask(engine, note, made).then(
      (reason) => reason && onFailure(`The line was not made a task. ${reason}`),
    )
  }

  function makeTask(line: CaretLine) {
    const link = taskLinkIn(line.text)
    const item = link && linked.get({ kind: 'task', id: link })
    const isPressedAgain = attempts.current.some(
      ({ line: { number, text } }) => number === line.number && text === line.text,
    )
    if (isPressedAgain) return
    if (link && !(item && 'gone' in item)) return onFailure('The line is a task already.')
    const found = taskOfLine(withoutTaskLink(line.text))
    if (!found)
      return onFailure('The line is empty. Put the cursor in the line that you want to make a task.')
    if (line.isOther) return onFailure('Only a line of text can become a task, not code or a row of a table.')
    onFailure(undefined)
    const task = randomId()
    field.current?.placeTask(placed(task))
    const previous = attempts.current.at(-1)?.done ?? Promise.resolve()
    const done = previous.then(() => make(line, task, found))
    const attempt = { line, task, done }
    attempts.current.push(attempt)
    done.finally(() => {
      attempts.current = attempts.current.filter((other) => other !== attempt)
    })
  }

  function placed(task: string): PlacedTask {
    const isOfTask = ({ verb, item }: Step) => verb === 'link' && item === task
    const stepIn = (direction: Direction) => history.getState()[direction].find(isOfTask)
    return {
      isUndone: () => stepIn('redo') !== undefined,
      reverse(direction) {
        const attempt = attempts.current.find((other) => other.task === task)
        if (!stepIn(direction) && !(attempt && direction === 'undo')) return
        return Promise.resolve(attempt?.done)
          .then(() => undo.reverse(direction, isOfTask))
          .then(() => showLink(engine, stepIn('redo') ?? stepIn('undo') ?? {}))
      },
    }
  }

  return makeTask
}

/** The title of a line, and the fields that its words name. If the code of date words cannot be loaded, dates stay in the title. */
async function readLine(text: string) {
  const today = todayHere()
  const findDates = await rest.load().then(
    (loaded) => loaded.findDates,
    () => undefined,
  )
  const { title, set } = readTaskText(text, { now: { today, time: timeHere() }, findDates })
  return { title, set: { dueDate: today, priority: defaultPriority, ...set } as const }
}
