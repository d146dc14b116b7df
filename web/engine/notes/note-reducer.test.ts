import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Note } from '#contract/notes.ts'
import { summarized } from '../store/known-items.ts'
import { unmarked } from './merge-lines.ts'
import { beginState, isUnsaved, type NoteEvent, reduce, type TextState } from './note-reducer.ts'

const noteOf = (text: string, version: number, deletedAt: string | null = null) =>
  ({ _id: 'n', text, version, deletedAt }) as Note

const save: NoteEvent = { on: 'save', mutation: 'm', keepalive: false }
const failed: NoteEvent = { on: 'failed', reason: 'Unreachable.', mayPass: true, isKept: true }
const typed = (text: string): NoteEvent => ({ on: 'typed', text: () => text })

test('A text is a draft, waits for its answer, and is sent again as it was if that is lost, until the server has what was typed since', () => {
  let state = beginState({ text: 'one', stored: { text: 'one', version: 1 }, sent: undefined })
  const after = (event: NoteEvent) => {
    const { effects = [], ...step } = reduce(state, event)
    state = step.state
    return [state.stage.is, ...effects]
  }
  expect(after(typed('one two'))).toEqual(['draft', 'save soon'])
  expect(after(save)).toEqual(['waiting', 'send'])
  expect(after(typed('one two three'))).toEqual(['waiting', 'save soon'])
  expect(after(failed)).toEqual(['unknown', 'save later'])
  expect(after({ ...save, mutation: 'another' })).toEqual(['waiting', 'send'])
  expect(state.sent).toEqual({ text: 'one two', version: 1, mutation: 'm' })
  const result = { outcome: 'duplicate', note: noteOf('one two', 2) } as const
  expect(after({ on: 'answered', result })).toEqual(['draft', 'save soon', 'fetch'])
  expect([state.stored, state.text()]).toEqual([{ text: 'one two', version: 2 }, 'one two three'])
  expect(after({ on: 'removed' })).toEqual(['gone'])
})

test('In any order of keys, answers, failures and changes of others, no typed line is lost, and text that the server lacks has a call or a save ahead unless the note is gone or its text was rejected', () => {
  const kind = fc.constantFrom(
    ...['type', 'type', 'save', 'save', 'applied', 'conflict', 'no note', 'lost', 'rejected', 'full'],
    ...['heard', 'heard with text', 'deleted', 'fetched', 'replaced', 'removed', 'restored'],
  )
  const step = fc.record({ kind, by: fc.integer({ min: -1, max: 2 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      let state: TextState = beginState({ text: '', stored: { text: '', version: 0 }, sent: undefined })
      let [isOut, isSaveDue, version] = [false, false, 1]
      const lines: string[] = []
      const on = (event: NoteEvent) => {
        const { state: next, effects = [] } = reduce(state, event)
        state = next
        if (event.on === 'answered' || event.on === 'failed') isOut = false
        if (event.on === 'save') isSaveDue = false
        if (effects.includes('send')) isOut = true
        if (effects.some((effect) => effect.startsWith('save'))) isSaveDue = true
      }
      for (const [number, { kind, by }] of steps.entries()) {
        version = Math.max(1, version + by)
        const theirs = noteOf(`${state.sent?.text ?? state.stored.text}\nother ${number}`, version)
        if (kind === 'type') {
          lines.push(`line ${number}`)
          on(typed(`${state.text()}\nline ${number}`))
        }
        if (kind === 'save' && !isOut) on({ ...save, mutation: `${number}` })
        if (kind === 'applied' && isOut) on({ on: 'answered', result: { outcome: kind, note: theirs } })
        if (kind === 'conflict' && isOut) on({ on: 'answered', result: { outcome: kind, note: theirs } })
        if (kind === 'no note' && isOut) on({ on: 'answered', result: { outcome: 'conflict', note: null } })
        if (kind === 'lost' && isOut) on(failed)
        if (kind === 'rejected' && isOut) on({ ...failed, mayPass: false })
        if (kind === 'full' && isOut) on({ ...failed, isKept: false })
        if (kind === 'heard') on({ on: 'heard', change: summarized(theirs) })
        if (kind === 'heard with text') on({ on: 'heard', change: theirs })
        if (kind === 'deleted') on({ on: 'heard', change: { ...theirs, deletedAt: '2026-11-21T12:00:00Z' } })
        if (kind === 'fetched') on({ on: 'fetched', note: theirs })
        if (kind === 'replaced') on({ on: 'replaced' })
        if (kind === 'removed') on({ on: 'removed' })
        if (kind === 'restored' && state.stage.is === 'gone')
          on({ on: 'restored', note: theirs, since: state.stored })
        const { stage, sent } = state
        const shown = new Set(state.text().split('\n').map(unmarked))
        expect(lines.filter((line) => !shown.has(line))).toEqual([])
        if (stage.is === 'waiting' || stage.is === 'unknown') expect(sent).toBeDefined()
        if (stage.is === 'new' || stage.is === 'saved') expect(isUnsaved(state)).toBe(false)
        if (isUnsaved(state) && stage.is !== 'gone' && stage.is !== 'failed')
          expect([isOut, isSaveDue]).toContain(true)
      }
    }),
    { numRuns: process.env.TORTURE ? 50_000 : 500 },
  )
})

test('After the restore of a server, what others have written since and what is here are both kept', () => {
  const begin = beginState({ text: 'one\ntwo', stored: { text: 'one\ntwo', version: 5 }, sent: undefined })
  const { state } = reduce(begin, { on: 'replaced' })
  const { state: merged, effects } = reduce(state, { on: 'fetched', note: noteOf('one\nother', 7) })
  expect([merged.text().split('\n').toSorted(), effects]).toEqual([['one', 'other', 'two'], ['save soon']])
})

test('A change from before the deletion of a note does not bring the note back', () => {
  const begin = beginState({ text: 'one', stored: { text: 'one', version: 1 }, sent: undefined })
  const heard = (state: TextState, version: number, deletedAt: string | null = null) =>
    reduce(state, { on: 'heard', change: summarized(noteOf('one', version, deletedAt)) }).state
  const deleted = heard(begin, 3, '2026-11-21T12:00:00Z')
  expect([heard(deleted, 2).stage.is, heard(deleted, 4).stage.is]).toEqual(['gone', 'saved'])
})
