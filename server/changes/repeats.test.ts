import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idFor, newId } from '../new-id.ts'
import { itemsIn } from '../testing/items-in.ts'
import { rounds } from '../testing/rounds.ts'
import { onEveryServer, type TestUser } from '../testing/test-server.ts'

const draft = { title: 'Water the plants', dueDate: '2026-11-21', priority: 'high' }
const [text, flag] = [fc.constantFrom('One', 'Two'), fc.boolean()]
const aTask = fc.record({ title: text, done: flag, deleted: flag }, { requiredKeys: [] })
const aNote = fc.record({ text, pinned: flag, deleted: flag }, { requiredKeys: ['text'] })

/** Items and keys are chosen from a few, so that they meet. */
const aChange = fc.record({
  item: fc.nat({ max: 5 }),
  ...{ isNote: fc.boolean(), base: fc.constantFrom(undefined, 0, 1, 3), isGroup: fc.boolean() },
  set: fc.tuple(fc.boolean(), aTask).map(([isWhole, set]) => ({ ...(isWhole && draft), ...set })),
  setOfNote: aNote,
})
const anOperation = fc.oneof(
  fc.record({ changes: fc.array(aChange, { minLength: 1, maxLength: 4 }) }),
  fc.record({ addWith: fc.nat({ max: 3 }) }),
  fc.record({ undo: fc.nat({ max: 20 }), group: fc.boolean() }),
  fc.record({ purge: fc.nat({ max: 5 }) }),
)
type Operation = typeof anOperation extends fc.Arbitrary<infer Value> ? Value : never

onEveryServer('a repeat', ({ server }) => {
  /** Returns the function that sends an operation, with ids of its own. */
  function sender(user: TestUser) {
    const keys = [newId(), newId(), crypto.randomUUID(), crypto.randomUUID()]
    // The last two are the ids of the tasks that these keys add.
    const ids = [...keys.slice(0, 2), newId(), newId(), ...keys.slice(2).map((key) => idFor(user.id, key))]
    const group = newId()
    return (operation: Operation) => {
      const headers = { 'idempotency-key': newId() }
      if ('undo' in operation)
        return () =>
          user.call(`POST /changes/${operation.undo + 1}/undo?group=${operation.group}`, { headers })
      if ('purge' in operation) return () => user.purge(ids[operation.purge] as string)
      if ('addWith' in operation) {
        const key = { 'idempotency-key': keys[operation.addWith] as string }
        return () => user.call('POST /list/addTask', { body: draft, headers: key })
      }
      const changes = operation.changes.map(({ item, isNote, base, isGroup, set, setOfNote }) => ({
        ...{ mutation: newId(), item: ids[item], kind: isNote ? 'note' : 'task' },
        ...{ set: isNote ? setOfNote : set, base: isNote ? (base ?? 0) : base },
        ...(isGroup && { group }),
      }))
      return () => user.call('POST /changes', { body: { changes } })
    }
  }

  test('of any change answers as the first time, and no id is ever of a task and a note', async () => {
    const property = fc.asyncProperty(fc.array(anOperation, { minLength: 1, maxLength: 12 }), async (all) => {
      const user = await server.newUser()
      const operationOf = sender(user)
      for (const operation of all) {
        const send = operationOf(operation)
        const first = await send()
        expect(first.status).toBeLessThan(500)
        const ids = itemsIn(await user.changes()).map(({ _id }) => _id)
        expect(new Set(ids).size).toBe(ids.length)
        // A conflict is applied if it is sent again, and a purge has no id.
        const outcomes = (first.json.items ?? []).map(({ outcome }) => outcome)
        if ('purge' in operation || outcomes.includes('conflict')) continue
        const again = await send()
        const duplicates = first.json.items?.map((entry) => ({ ...entry, outcome: 'duplicate' }))
        const expected = duplicates ? { ...first.json, items: duplicates } : first.json
        expect([again.status, again.json]).toEqual([first.status, expected])
        expect(again.headers['changes-cursor']).toBe(first.headers['changes-cursor'])
      }
    })
    await fc.assert(property, { seed: 20_261_125, numRuns: rounds(800) })
  })
})
