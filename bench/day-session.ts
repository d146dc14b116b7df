import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiBase } from '#contract/limits.ts'
import { newId } from '../server/new-id.ts'
import type { Answer, Connection } from './connection.ts'

/** `call`: method, path and query. Headers and body have words in braces for the values that differ between people. */
export type RecordedCall = { call: string; headers: Record<string, string>; body?: unknown }

/** `opening`: how many of the first calls open the dashboard. `headers`: those that all calls have. */
export type Day = { about: string; opening: number; headers: Record<string, string>; calls: RecordedCall[] }

type Item = { _id: string; version: number; doneAt?: string | null; deletedAt: string | null }

/** A call of the recorded day, until a person's values are filled in. */
export type DayCall = { call: string; head: string; body: string }

/** The calls of the recorded day. */
export async function recordedDay(): Promise<{ opening: DayCall[]; all: DayCall[] }> {
  const day: Day = JSON.parse(await readFile(join(import.meta.dirname, 'day.json'), 'utf8'))
  const all = day.calls.map(({ call, headers, body }) => {
    const [method, path] = call.split(' ')
    const lines = Object.entries({ ...day.headers, ...headers }).map(([name, value]) => `${name}: ${value}`)
    return {
      call,
      head: [`${method} ${apiBase}${path} HTTP/1.1`, 'host: daymark', ...lines].join('\r\n'),
      // A version is a number.
      body: body === undefined ? '' : JSON.stringify(body).replaceAll('"{version}"', '{version}'),
    }
  })
  return { opening: all.slice(0, day.opening), all }
}

/**
 * The state of a user's pages that later calls need. `tasks`: open ones, of which each call changes the first. `note`:
 * the one that was written last. `newest`: the cursor of the user's newest change. `before`: the one before it, since which
 * each tab asks after the change.
 */
export type Person = {
  token: string
  tasks: Item[]
  note: Item
  newest: string
  before: string
  stream?: Connection
}

/** The request with this person's values. */
export function requestOf({ head, body }: DayCall, person: Person): string {
  const isOfNote = body.includes('"kind":"note"')
  const of = (text: string) =>
    text.replace(/\{([a-zA-Z]+)(-?\d+)?\}/g, (_, word, number) => filled(word, number))
  function filled(word: string, number: string): string {
    const [task = person.note] = person.tasks
    switch (word) {
      case 'token':
        return person.token
      case 'id':
      case 'newNote':
        return randomUUID()
      case 'newTask':
        return newId()
      case 'task':
        return task._id
      case 'note':
        return person.note._id
      case 'version':
        return String((isOfNote ? person.note : task).version)
      case 'cursor':
        return person.before
      case 'seq':
        return String(Number.parseInt(person.newest, 10))
      case 'day':
        return new Date(Date.now() + Number(number) * 86_400_000).toISOString().slice(0, 10)
      default:
        throw new Error(`{${word}} has no value`)
    }
  }
  const sent = of(body)
  return `${of(head)}\r\n${sent && `content-length: ${Buffer.byteLength(sent)}\r\n`}\r\n${sent}`
}

/** Takes the values of a response that later calls need. */
export function learn(person: Person, { call }: DayCall, answer: Answer) {
  if (call.startsWith('GET ')) return
  const {
    task,
    items = [{ kind: 'task', item: task }],
    cursor = answer.header('changes-cursor'),
  } = JSON.parse(answer.body())
  if (cursor) Object.assign(person, { before: person.newest, newest: cursor })
  if (call.startsWith('DELETE ')) person.tasks.shift()
  for (const { kind, item } of items) {
    if (item && kind === 'note') person.note = item
    if (!item || kind === 'note') continue
    const isFirst = person.tasks[0]?._id === item._id
    if (isFirst) person.tasks.shift()
    if (!item.doneAt && !item.deletedAt) person.tasks[isFirst ? 'unshift' : 'push'](item)
  }
}
