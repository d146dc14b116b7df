import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Field, type Fields, setName } from '#contract/fields.ts'
import { type KindName, kinds } from '#contract/kinds.ts'
import { onEveryEngine } from './testing/engines.ts'
import { itemsIn } from './testing/send-changes.ts'
import { accountOf } from './testing/stored-rows.ts'
import { serverForAll, type TestUser, userForEach } from './testing/test-server.ts'

type Item = { _id: string; deletedAt: string | null } & Record<string, unknown>

/** How the items of each kind are read. */
const reading: Record<
  KindName,
  {
    read(user: TestUser, id: string): Promise<Item>
    list(user: TestUser, item: Item): Promise<Item[]>
    find(user: TestUser, words: unknown): Promise<{ _id: string }[]>
  }
> = {
  task: {
    read: async (user, id) => (await user.call(`GET /tasks/${id}`)).json.task,
    async list(user, { deletedAt, doneAt }) {
      const list = deletedAt ? 'Deleted' : doneAt ? 'Done' : 'Latest'
      return (await user.call(`GET /list/get${list}Tasks`)).json.lists
    },
    find: async (user, words) => (await user.call(`GET /search?q=${words}`)).json.tasks,
  },
  note: {
    read: async (user, id) => (await user.call(`GET /notes/${id}`)).json.note,
    list: async (user, { deletedAt }) => (await user.call(`GET /notes?deleted=${!!deletedAt}`)).json.notes,
    find: async (user, words) => (await user.call(`GET /search?q=${words}`)).json.notes,
  },
}

/** Two values of a field as a draft or a change sets them. */
function valuesOf([name, { type, schema }]: [string, Field]): [unknown, unknown] {
  if (type === 'instant') return [false, true]
  if (type === 'flag') return [true, false]
  if (type === 'day') return ['2026-11-21', '2026-12-24']
  if (name === 'reminders') return ['10m', '60m 1d19:00']
  if (type === 'plain') return ['FREQ=DAILY', 'FREQ=DAILY;INTERVAL=3']
  if (type === 'time') return ['08:00', '17:30']
  const { enum: options } = schema as { enum?: string[] }
  return options ? [options[0], options[1]] : [`first${name}`, `second${name}`]
}

/** Whether an item shows a value that was set. */
function expectShown(item: object | undefined, [name, { type }]: [string, Field], value: unknown) {
  const shown = (item as Record<string, unknown>)[name]
  if (type === 'instant') expect(typeof shown === 'string').toBe(value)
  else expect(shown).toEqual(value)
}

const firstValues = (fields: [string, Field][]) =>
  Object.fromEntries(fields.flatMap((each) => (each[1].setBy ? [] : [[each[0], valuesOf(each)[0]]])))

onEveryEngine('every field', (engine) => {
  const server = serverForAll(engine)
  const user = userForEach(server)

  describe.each(Object.keys(kinds) as KindName[])('of a %s', (kind) => {
    const declared: Fields = kinds[kind].fields
    const fields = Object.entries(declared).filter(([, { isDerived }]) => !isDerived)
    const { read, list, find } = reading[kind]

    /** Each change is a version of its own, so that it can be undone. */
    const send = (user: TestUser, item: string, base: number, set: object) =>
      user.send({ item, kind, base, set, group: randomUUID() })
    const add = async (user: TestUser) => {
      const item = randomUUID()
      await send(user, item, 0, firstValues(fields))
      return item
    }

    /** Checks that a field has this value wherever it is read. */
    async function expectEverywhere(
      user: TestUser,
      id: string,
      field: [string, Field],
      value: unknown,
      since: string,
    ) {
      const item = await read(user, id)
      expectShown(item, field, value)
      const listed = (await list(user, item))[0] as Item
      const names = Object.keys(listed).filter((name) => name in item)
      expect(listed).toMatchObject(Object.fromEntries(names.map((name) => [name, item[name]])))
      expect(itemsIn((await user.call(`GET /changes?since=${since}`)).json)[0]).toEqual(listed)
      // Texts that are too long for lists are in their titles.
      if (!names.includes(field[0])) expect(listed.title).toBe(value)
      if (field[1].isSearched) expect((await find(user, value)).map(({ _id }) => _id)).toEqual([id])
    }

    describe.each(fields)('%s', (...field) => {
      const [name, declaration] = field
      const [first, second] = valuesOf(field)
      const set = { [setName(name, declaration)]: second }

      test('is set by a change, read everywhere, and undone', async () => {
        const item = await add(user)
        const { cursor } = (await user.call('GET /changes')).json
        const { items, cursor: after } = (await send(user, item, 1, set)).json
        expectShown(items[0]?.item as object, field, second)
        await expectEverywhere(user, item, field, second, cursor)
        expect((await user.call('POST /changes/2/undo')).status).toBe(200)
        await expectEverywhere(user, item, field, first, after)
      })

      test('is merged with changes of every other field, and clashes with another change of it', async () => {
        const item = await add(user)
        const others = fields.filter(([other]) => other !== name && other !== 'deletedAt')
        for (const other of others) await send(user, item, 1, { [setName(...other)]: valuesOf(other)[1] })
        const merged = (await send(user, item, 1, set)).json.items[0]
        expect(merged?.outcome).toBe('merged')
        for (const other of others) expectShown(merged?.item as object, other, valuesOf(other)[1])
        expectShown(merged?.item as object, field, second)
        if (declaration.type !== 'text') return
        const clash = await send(user, item, 1, { [name]: 'third' })
        expect(clash.json.items).toMatchObject([{ outcome: 'conflict', item: { [name]: second } }])
      })

      if (!declaration.label) return
      test('is set by the specified calls that add and edit', async () => {
        const start = (await user.call('GET /changes')).json.cursor
        const draft = firstValues(fields.filter(([, { label }]) => label))
        const { _id: item } = (await user.call('POST /list/addTask', { body: draft })).json.task
        await expectEverywhere(user, item, field, first, start)
        const body = { ...draft, [name]: second }
        const edited = await user.call(`PUT /list/updateTask/${item}`, { body })
        expectShown(edited.json.task, field, second)
        await expectEverywhere(user, item, field, second, start)
        const { [name]: _, ...rest } = draft
        const without = await user.call('POST /list/addTask', { body: rest })
        if ('default' in declaration) expectShown(without.json.task, field, declaration.default)
        else
          expect([without.status, without.json.errors]).toMatchObject([
            400,
            [{ field: name, code: 'required' }],
          ])
      })
    })

    test('is counted if it is a text', async () => {
      await add(user)
      const texts = fields.filter(([, { type }]) => type === 'text').map((each) => String(valuesOf(each)[0]))
      const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
      expect((await accountOf(server.database, user.id)).stored_bytes).toBe(bytes + 256)
    })
  })

  test('that only changes have is ignored in a draft', async () => {
    const draft = firstValues(Object.entries(kinds.task.fields))
    const { task } = (
      await user.call('POST /list/addTask', { body: { ...draft, done: true, deleted: true } })
    ).json
    expect([task.doneAt, task.deletedAt]).toEqual([null, null])
  })
})
