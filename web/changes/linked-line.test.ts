import { expect, onTestFinished, test, vi } from 'vitest'
import { createStore } from '../store/store.ts'
import { changeLinkedLine, LineUnchangedError, withLink, withoutLink } from './linked-line.ts'

const line = {
  note: 'n',
  task: 't',
  number: 2,
  plain: '- [ ] Sow $& beans',
  linked: '- [Sow $& beans](task:t)',
}

test('The link goes into the line that is still as it was, next to where it was', () => {
  const text = `${line.plain}\none\ntwo\n${line.plain}\n`
  expect(withLink(text, line)).toBe(`${line.plain}\none\ntwo\n${line.linked}\n`)
  expect(withLink(`a\r\n${line.plain}\r\nb`, line)).toBe(`a\r\n${line.linked}\r\nb`)
  expect(withLink(`a\n${line.plain} more`, line)).toBeUndefined()
})

test('The link is taken out wherever the line is, and the text around it stays', () => {
  expect(withoutLink(`new\n> ${line.linked} tomorrow\n`, line)).toBe(`new\n> ${line.plain} tomorrow\n`)
  expect(withoutLink('another text', line)).toBeUndefined()
})

type Change = { item: string; kind?: 'note'; set: object; group: string }
const [unreachable, unknown] = [
  () => Promise.reject(new TypeError()),
  () => new Response('', { status: 404 }),
]

/** A server that answers each fetch of the note with the next text, and changes of the note with a conflict. */
function contest({ texts, deletes = true }: { texts: (string | (() => unknown))[]; deletes?: boolean }) {
  const sent: Change[][] = []
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', async (_: string, { method, body }: { method: string; body: string }) => {
    if (method === 'GET') {
      const text = texts.shift() ?? line.plain
      return typeof text === 'string' ? Response.json({ note: { _id: 'n', text, version: 1 } }) : text()
    }
    const { changes } = JSON.parse(body) as { changes: Change[] }
    if (!deletes && 'deleted' in (changes[0]?.set ?? {})) return unreachable()
    sent.push(changes)
    const items = changes.map(({ kind }) =>
      kind
        ? { outcome: 'conflict', kind: 'note', item: { _id: 'n', text: '', version: 1 } }
        : { outcome: 'applied', item: null },
    )
    return Response.json({ items, cursor: `${sent.length}.x` })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return sent
}

const add = () => changeLinkedLine(createStore(), line, { isLinked: true, set: { title: 'Sow' } })

test.each([
  ['the server is not reached', [line.plain, unreachable], 'Cannot reach the server.'],
  ['the line has gone', [line.plain, 'another text'], 'The line was changed meanwhile.'],
  ['the note changes again and again', [], 'The note is being changed elsewhere.'],
])('A task whose line cannot be linked, because %s, is deleted again', async (_, texts, reason) => {
  const sent = contest({ texts })
  await expect(add()).rejects.toThrow(reason)
  const [first, last] = [sent[0]?.[0], sent.at(-1)]
  expect(last).toEqual([expect.objectContaining({ item: 't', set: { deleted: true }, group: first?.group })])
})

test('A task that can neither be linked nor deleted is reported as being there, with the number that undoes it', async () => {
  contest({ texts: [line.plain, unreachable], deletes: false })
  const error = await add().catch((error) => error)
  expect(error).toBeInstanceOf(LineUnchangedError)
  expect(error).toMatchObject({ seq: 1, message: expect.stringMatching(/^The task is there, but the line/) })
})

test('A line that has gone before the task was added adds none', async () => {
  const sent = contest({ texts: ['another text'] })
  await expect(add()).rejects.toThrow('The line was changed meanwhile.')
  expect(sent).toEqual([])
})

test.each([0, 502, 503, 504])(
  'Changes that are answered with status %i are sent again as they are, so that nothing is told that is not known',
  async (status) => {
    const bodies: string[] = []
    vi.stubGlobal('localStorage', { getItem: () => null })
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('document', new EventTarget())
    vi.stubGlobal('navigator', { onLine: false })
    onTestFinished(() => void vi.unstubAllGlobals())
    vi.stubGlobal('fetch', async (_: string, { method, body = '' }: { method: string; body?: string }) => {
      if (method === 'GET') return Response.json({ note: { _id: 'n', text: line.plain, version: 1 } })
      bodies.push(body)
      if (bodies.length < 3) {
        setTimeout(() => window.dispatchEvent(new Event('online')))
        return status === 0 ? Promise.reject(new TypeError()) : new Response('<h1>', { status })
      }
      return Response.json({ items: [], cursor: '7.x' })
    })
    expect(await add()).toBe(7)
    expect(bodies).toHaveLength(3)
    expect(new Set(bodies).size).toBe(1)
  },
)

test('The task alone is taken back when its note has been deleted for good', async () => {
  const sent = contest({ texts: [unknown] })
  await changeLinkedLine(createStore(), line, { isLinked: false, set: { deleted: true } })
  expect(sent.map((changes) => changes.map(({ item }) => item))).toEqual([['t']])
})
