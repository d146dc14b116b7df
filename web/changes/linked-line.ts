import type { Call } from '#contract/api.ts'
import type { ChangeResults } from '#contract/changes.ts'
import { call, ProblemError, problemFrom } from '../api/client.ts'
import { randomId } from '../api/random-id.ts'
import { itemsIn } from '../store/answers.ts'
import { isGone } from '../store/change-errors.ts'
import { seqOf } from '../store/deltas.ts'
import type { ItemSet } from '../store/pending-change.ts'
import type { Store } from '../store/store.ts'
import { isUnanswered, untilDone } from '../sync/retry-delay.ts'

/** A line of a note that became a task: its number in the note, and its text without and with the link to the task. */
export type LinkedLine = { note: string; task: string; number: number; plain: string; linked: string }

/** A note that others keep changing is read again this many times. */
const mostAttempts = 5

/** The task was changed by the change with this number, and its line was not. */
export class LineUnchangedError extends ProblemError {
  readonly seq: number

  constructor(detail: string, seq: number) {
    super({ ...unavailable, detail })
    this.seq = seq
  }
}

/**
 * Changes a task and the line that links to it, as one change: links the line, or with `isLinked: false` takes the link out.
 * Returns the number of the change. If the line no longer has the link, or the note is gone, only the task is changed. If
 * the line cannot be changed, the change of the task is undone.
 */
export async function changeLinkedLine(
  store: Store,
  line: LinkedLine,
  { isLinked, set, beforeShown }: { isLinked: boolean; set: ItemSet; beforeShown?: () => void },
): Promise<number> {
  const [group, mutation] = [randomId(), randomId()]
  const taskChange = { mutation, item: line.task, set, group }
  let stored: ChangeResults | undefined
  const show = (results: ChangeResults) => store.put(itemsIn(results))
  try {
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      const note = await noteOf(line, isLinked)
      const text = note && (isLinked ? withLink(note.text, line) : withoutLink(note.text, line))
      if (text === undefined && isLinked) throw lineGone()
      const noteChange = { mutation: randomId(), item: line.note, kind: 'note' as const, group }
      const changes = note && text !== undefined ? [{ ...noteChange, base: note.version, set: { text } }] : []
      stored = await sendUntilAnswered([taskChange, ...changes])
      if (stored.items.some(({ kind, item, outcome }) => kind === 'note' && item && outcome === 'conflict'))
        continue
      beforeShown?.()
      show(stored)
      return seqOf(stored.cursor)
    }
    throw lineContested()
  } catch (error) {
    if (stored) await takeBack(stored, error as Error)
    throw error
  }

  async function takeBack(changed: ChangeResults, { message }: Error) {
    const back = { mutation: randomId(), item: line.task, set: { deleted: isLinked }, group }
    try {
      show(await send([back]))
    } catch {
      show(changed)
      const state = isLinked
        ? 'The task is there, but the line does not link to it.'
        : 'The task is deleted, but the line still links to it.'
      throw new LineUnchangedError(`${state} ${message}`, seqOf(changed.cursor))
    }
  }
}

/** The text with the link in the line that is still as it was, next to where it was. */
export function withLink(text: string, { number, plain, linked }: LinkedLine): string | undefined {
  const lines = text.split('\n')
  const [nearest] = [...lines.keys()]
    .filter((index) => lines[index]?.replace(/\r$/, '') === plain)
    .toSorted((one, other) => Math.abs(one - number) - Math.abs(other - number))
  if (nearest === undefined) return undefined
  return lines.with(nearest, lines[nearest]?.replace(plain, () => linked) ?? '').join('\n')
}

/** The text without the link, even if the text around it has changed. The id of the task makes the link unique. */
export const withoutLink = (text: string, { plain, linked }: LinkedLine): string | undefined =>
  text.includes(linked) ? text.replace(linked, () => plain) : undefined

type Changes = Call<'POST /changes'>['body']['changes']

const send = async (changes: Changes): Promise<ChangeResults> =>
  (await call('POST /changes', { body: { changes } })).data

/** Sends changes again, as they are, while no answer says whether they are stored. */
function sendUntilAnswered(changes: Changes): Promise<ChangeResults> {
  const isRepeated = (error: unknown) => isUnanswered(problemFrom(error)?.status ?? 400)
  return untilDone(() => send(changes), new AbortController().signal, isRepeated)
}

/** The note with the line. Where it is gone, there is no link to take out. */
async function noteOf({ note: id }: LinkedLine, isLinked: boolean) {
  try {
    return (await call('GET /notes/:id', { params: { id } })).data.note
  } catch (error) {
    if (isLinked || !isGone(error)) throw error
  }
}

const lineGone = () =>
  new ProblemError({
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    detail: 'The line was changed meanwhile.',
  })

/** No conflict: that would be final, and the next attempt may succeed. */
const unavailable = { type: 'about:blank', title: 'Service Unavailable', status: 503 }

const lineContested = () =>
  new ProblemError({ ...unavailable, detail: 'The note is being changed elsewhere. Try again.' })
