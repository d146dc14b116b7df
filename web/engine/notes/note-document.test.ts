import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Note } from '#contract/notes.ts'
import { ProblemError } from '../../api/client.ts'
import type { Draft } from '../kept/note-drafts.ts'
import { summarized } from '../store/known-items.ts'
import { settled } from '../store/testing/log-server.ts'
import { markOf, unmarked } from './merge-lines.ts'
import type { DocumentPort } from './note-calls.ts'
import { createNoteDocument } from './note-document.ts'

const id = '0b4c1c8e-5a3e-4a55-9d8f-3f1f9f2d7c11'

/** A server with one note, which answers as the real one does. */
function server() {
  let note: Note | undefined
  const seen = new Set<string>()
  const store = (text: string, deletedAt: string | null = null) => {
    note = {
      ...{ _id: id, pinned: false, createdAt: '', changedAt: '' },
      ...{ text, deletedAt, version: (note?.version ?? 0) + 1 },
    }
    return note
  }
  return {
    /** Restores an earlier state from a backup; without one, the note does not exist. */
    restoreBackup(backup: Note | undefined) {
      note = backup
    },
    restore(base: number) {
      if (base < (note?.version ?? 0)) return { outcome: 'conflict' as const, note: note ?? null }
      return { outcome: 'applied' as const, note: store(note?.text ?? '') }
    },
    get note() {
      return note
    },
    store,
    change(base: number, mutation: string, text: string) {
      if (seen.has(mutation)) return { outcome: 'duplicate' as const, note: note ?? null }
      const isBehind = note && note.version !== base && note.text !== text
      if (isBehind) return { outcome: 'conflict' as const, note: note ?? null }
      seen.add(mutation)
      return { outcome: 'applied' as const, note: store(text) }
    },
  }
}

type Server = ReturnType<typeof server>

const emptyDraft: Draft = { id, text: '', stored: { text: '', version: 0 }, sent: undefined }

/** Waits as without a connection. */
const untilClosed: DocumentPort['wait'] = (_attempts, signal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()))

/** A device: its document, and the draft that its browser keeps. */
function device(remote: Server, begin = emptyDraft) {
  const kept: { draft: Draft | undefined } = { draft: undefined }
  const sent: string[] = []
  const port: DocumentPort = {
    send: async (_id, base, mutation, set) => {
      if ('deleted' in set) return remote.restore(base)
      sent.push(set.text)
      return remote.change(base, mutation, set.text)
    },
    fetch: async () => remote.note as Note,
    keep: (_id, draft) => {
      kept.draft = draft && structuredClone(draft)
      return true
    },
    onStored: () => {},
    wait: untilClosed,
  }
  return { document: createNoteDocument(port, begin), port, kept, sent }
}

test('An empty new note is never sent, and its first character is', async () => {
  const remote = server()
  const { document, sent, kept } = device(remote)
  await document.save()
  expect(sent).toEqual([])
  document.edit('a')
  await document.save()
  expect([sent, document.state, kept.draft]).toEqual([['a'], { is: 'saved' }, undefined])
  document.close()
})

test('A new note that is emptied before it was saved leaves nothing, and one that is emptied later is saved as an empty note', async () => {
  const remote = server()
  const { document, sent, kept } = device(remote)
  document.edit('a')
  document.keepDraft()
  document.edit('')
  await document.save()
  expect([sent, document.state]).toEqual([[], { is: 'new' }])
  expect([kept.draft, document.isOnlyHere]).toEqual([undefined, true])
  document.edit('b')
  await document.save()
  document.edit('')
  await document.save()
  expect([sent, remote.note?.text, document.state]).toEqual([['b', ''], '', { is: 'saved' }])
  expect([kept.draft, document.isOnlyHere]).toEqual([undefined, false])
  document.close()
})

test('A note is saved one second after the last keystroke, and in long typing every ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const { document, sent } = device(server())
  document.edit('a')
  await vi.advanceTimersByTimeAsync(900)
  document.edit('ab')
  await vi.advanceTimersByTimeAsync(900)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(sent).toEqual(['ab'])
  for (let typed = 1; typed <= 25; typed++) {
    document.edit(`ab${'c'.repeat(typed)}`)
    await vi.advanceTimersByTimeAsync(500)
  }
  expect(sent.length).toBe(2)
  document.close()
  vi.useRealTimers()
})

test('The browser keeps a short text before the next key, and a long one less often', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const { document, kept } = device(server())
  document.edit('F')
  vi.advanceTimersByTime(0)
  expect(kept.draft?.text).toBe('F')
  const long = 'x'.repeat(10_000)
  const { document: longDocument, kept: longKept } = device(server(), {
    ...emptyDraft,
    ...{ text: long, stored: { text: long, version: 1 } },
  })
  longDocument.edit(`${long}F`)
  vi.advanceTimersByTime(400)
  expect(longKept.draft).toBeUndefined()
  vi.advanceTimersByTime(100)
  expect(longKept.draft?.text).toBe(`${long}F`)
  document.close()
  longDocument.close()
  vi.useRealTimers()
})

/** The fields of a note in a list, and in the changes of others that a device gets. */
const heard = (note: Note | undefined) => summarized(note as Note)

const typing = fc.record({
  kind: fc.constantFrom('type', 'type', 'save', 'save', 'back up', 'restore', 'restore and hear', 'others'),
  at: fc.nat(5),
})

test('After any restores of earlier states every line typed here is saved, and each save needs two calls at most', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(typing, { maxLength: 40 }), async (steps) => {
      const remote = server()
      const { document, sent } = device(remote)
      document.edit('start')
      await document.save()
      let backup = remote.note
      const typed = ['start']
      let saves = 1
      /** While this page has not heard of a restore, a version can be one of another past. */
      let isUnheard = false
      const save = async () => {
        const before = sent.length
        await document.save()
        await document.save()
        saves += 2
        if (sent.length > before) isUnheard = false
      }
      for (const [number, { kind, at }] of steps.entries()) {
        if (kind === 'type') {
          typed.push(`line ${number}`)
          document.edit(document.text.split('\n').toSpliced(at, 0, `line ${number}`).join('\n'))
        }
        if (kind === 'save') await save()
        if (kind === 'back up') backup = structuredClone(remote.note)
        if (kind === 'restore' || kind === 'restore and hear') remote.restoreBackup(structuredClone(backup))
        if (kind === 'restore') isUnheard = true
        if (kind === 'restore and hear') {
          document.loseBase()
          await document.changedElsewhere(heard(remote.note))
          isUnheard = false
        }
        if (kind === 'others' && !isUnheard) {
          typed.push(`other ${number}`)
          const note = remote.store(`${remote.note?.text}\nother ${number}`)
          await document.changedElsewhere(heard(note))
          await save()
          backup = structuredClone(remote.note)
        }
      }
      document.edit(`${document.text}\nlast`)
      await save()
      const lines = remote.note?.text.split('\n') ?? []
      expect(lines).toEqual(expect.arrayContaining([...typed, 'last']))
      expect([document.text, document.state]).toEqual([remote.note?.text, { is: 'saved' }])
      expect(sent.length).toBeLessThanOrEqual(2 * saves)
      document.close()
    }),
    { numRuns: 300 },
  )
})

test('A note is not saved in a loop, whatever a server answers to each save', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const unavailable = new ProblemError({ type: 'about:blank', title: '', status: 503, detail: '' })
  for (const step of [-1, 0, 1]) {
    for (const outcome of ['conflict', 'applied', 'duplicate', 'failed'] as const) {
      const { document, port } = device(server(), { ...emptyDraft, stored: { text: 'one', version: 50 } })
      let [version, calls] = [50, 0]
      const note = () => {
        version += step
        return { _id: id, text: `from the server ${calls++}`, version, deletedAt: null } as Note
      }
      port.fetch = async () => note()
      port.wait = (attempts) =>
        new Promise((resolve) => setTimeout(resolve, Math.min(30_000, 500 * 2 ** attempts)))
      port.send = async () => {
        const answer = note()
        if (outcome === 'failed') throw unavailable
        return { outcome, note: answer }
      }
      document.edit('one\ntwo')
      document.save()
      document.changedElsewhere(heard({ ...note(), version: 60 }))
      await vi.advanceTimersByTimeAsync(30 * 60_000)
      expect(calls).toBeLessThan(100)
      document.close()
    }
  }
  vi.useRealTimers()
})

test('While an input method composes, changes of others wait', async () => {
  const remote = server()
  const { document } = device(remote)
  document.edit('one')
  await document.save()
  document.compose(true)
  const change = document.changedElsewhere(remote.store('zero\none'))
  await Promise.resolve()
  expect(document.text).toBe('one')
  document.compose(false)
  await change
  expect(document.text).toBe('zero\none')
  document.close()
})

type Step = { which: number; line: number; at: number; saves: boolean; hears: boolean }

test('Two devices that write lines, or words into the same lines, at once lose none of them and end with one text', async () => {
  const [where, flag] = [fc.constantFrom(0, 1), fc.boolean()]
  const step = fc.record({ which: where, line: fc.nat(2), at: fc.nat(20), saves: flag, hears: flag })
  const run = async (steps: Step[], isOfWords: boolean) => {
    const remote = server()
    const note = () => structuredClone(remote.note as Note)
    remote.store(isOfWords ? 'one two three four\n- [ ] one two\none' : 'start')
    const devices = [device(remote).document, device(remote).document] as const
    for (const document of devices) await document.changedElsewhere(note())
    for (const [number, { which, line, at, saves, hears }] of steps.entries()) {
      const document = devices[which as 0 | 1]
      const lines = document.text.split('\n')
      const words = (lines[line] ?? '').split(' ')
      const next = isOfWords
        ? lines.with(line, words.toSpliced(at % 9, 0, `new${number}`).join(' '))
        : lines.toSpliced(at, 0, `new${number}`)
      document.edit(next.join('\n'))
      if (saves) await document.save()
      if (hears) await document.changedElsewhere(note())
    }
    for (const round of [0, 1, 0] as const) {
      await devices[round].save()
      await devices[round].changedElsewhere(note())
    }
    const found = remote.note?.text.split(/\s/) ?? []
    for (const number of steps.keys()) {
      const count = found.filter((word) => word === `new${number}`).length
      expect(isOfWords ? Math.min(count, 1) : count).toBe(1)
    }
    for (const document of devices) {
      expect(document.text).toBe(remote.note?.text)
      document.close()
    }
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.boolean(), run), {
    numRuns: process.env.TORTURE ? 20_000 : 500,
  })
})

/** A browser whose pages of the note end, and whose calls get an answer when the script says so. */
class Writer {
  readonly remote: Server
  /** The drafts in its storage. */
  readonly drafts = new Map<string, Draft>()
  /** The lines that its storage has contained. */
  readonly kept = new Set<string>()
  isFull = false
  made = 0
  requests: { ask: () => void; answer: () => void; fail: () => void }[] = []
  documents: ReturnType<typeof createNoteDocument>[] = []

  constructor(remote: Server) {
    this.remote = remote
    this.open(true)
  }

  get document() {
    return this.documents[0] as (typeof this.documents)[0]
  }

  /** Opens the note as the server has it, or else the first draft, and takes over the other drafts. */
  open(isOpened: boolean) {
    const drafts = [...this.drafts]
    const { text = '', version = 0 } = this.remote.note ?? {}
    const fresh = { id, text, stored: { text, version }, sent: undefined }
    const begin: [name: string, Draft][] =
      isOpened || drafts.length === 0 ? [[`${this.made++}`, fresh], ...drafts] : drafts
    this.documents = begin.map(([name, draft]) => createNoteDocument(this.port(name), structuredClone(draft)))
    for (const document of this.documents) document.save()
  }

  /** The page ends between two letters. */
  end() {
    for (const document of this.documents) document.close()
    this.requests = []
  }

  port(name: string): DocumentPort {
    return {
      send: (_id, base, mutation, set) =>
        new Promise((resolve, reject) => {
          const ask = () =>
            'text' in set ? this.remote.change(base, mutation, set.text) : this.remote.restore(base)
          const fail = () =>
            reject(new ProblemError({ type: 'about:blank', title: '', status: 0, detail: '' }))
          this.requests.push({ ask, answer: () => resolve(structuredClone(ask())), fail })
        }),
      fetch: async () => this.remote.note as Note,
      keep: (_id, draft) => {
        if (draft && this.isFull) return false
        if (draft) this.drafts.set(name, structuredClone(draft))
        else this.drafts.delete(name)
        for (const line of draft?.text.split('\n') ?? []) this.kept.add(unmarked(line))
        return true
      },
      onStored: () => {},
      // Nothing is sent again without being asked for.
      wait: untilClosed,
    }
  }

  network(how: 'answer' | 'double' | 'lose answer' | 'lose request') {
    const request = this.requests.shift()
    if (how === 'double' || how === 'lose answer') request?.ask()
    if (how === 'answer' || how === 'double') request?.answer()
    else request?.fail()
  }
}

test('Whatever calls are lost and wherever pages end, each line that a browser has kept is in the note, and only once unless its storage was full', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const kind = fc.constantFrom(
    ...['type', 'type', 'grow', 'grow', 'keep', 'save', 'network', 'network', 'hear', 'end', 'full'],
  )
  const how = fc.constantFrom('answer', 'answer', 'double', 'lose answer', 'lose request')
  const step = fc.record({ kind, which: fc.nat(1), at: fc.nat(4), how, is: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const remote = server()
      remote.store('start')
      const writers = [new Writer(remote), new Writer(remote)]
      for (const [number, { kind, which, at, how, is }] of steps.entries()) {
        const writer = writers[which] as Writer
        const { document } = writer
        const lines = document.text.split('\n')
        if (kind === 'type') document.edit(lines.toSpliced(at, 0, `${which} line ${number}.`).join('\n'))
        // Each writer continues the lines that it began.
        const own = [...lines.keys()].filter(
          (index) => lines[index]?.startsWith(`${which} `) && markOf(lines[index]) === undefined,
        )
        const grown = own[at % own.length]
        if (kind === 'grow' && grown !== undefined)
          document.edit(lines.with(grown, `${lines[grown]} word ${number}.`).join('\n'))
        if (kind === 'keep') document.keepDraft()
        if (kind === 'save') for (const each of writer.documents) each.save()
        if (kind === 'network') writer.network(how)
        if (kind === 'hear') for (const each of writer.documents) each.changedElsewhere(remote.note as Note)
        if (kind === 'full') writer.isFull = is
        if (kind === 'end') {
          // `close` writes the draft that is due, which a page that is killed does not.
          const { isFull } = writer
          writer.isFull = true
          writer.end()
          Object.assign(writer, { isFull })
          writer.open(is)
        }
        await settled()
      }
      for (const writer of writers) writer.isFull = false
      for (let round = 0; round < 10; round++)
        for (const writer of writers)
          for (const each of writer.documents) {
            let isSaved = false
            each.save().then(() => {
              isSaved = true
            })
            while (!isSaved) {
              await settled()
              writer.network('answer')
            }
            await each.changedElsewhere(remote.note as Note)
          }
      const stored = remote.note?.text ?? ''
      const text = stored.split('\n').map(unmarked)
      const isIn = (line: string) => text.some((other) => other.startsWith(line))
      const isEarly = (line: string) => text.some((other) => other !== line && other.startsWith(line))
      const wasFull = steps.some(({ kind, is }) => kind === 'full' && is)
      for (const { kept, documents, drafts } of writers) {
        expect([...kept].filter((line) => !isIn(line))).toEqual([])
        expect(documents.map((document) => document.text)).toEqual(documents.map(() => stored))
        expect([...drafts.keys()]).toEqual([])
        for (const document of documents) document.close()
      }
      if (!wasFull) expect(text.filter((line) => !isEarly(line))).toEqual([...new Set(text)])
    }),
    { numRuns: process.env.TORTURE ? 20_000 : 200 },
  )
  vi.useRealTimers()
})
