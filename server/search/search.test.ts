import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { foldedTexts } from '#contract/folding.ts'
import { compareRanks, hasWords, wordsOf } from '#contract/search-rules.ts'
import { fewHits, similarTo } from '#contract/similar-words.ts'
import { newId } from '../new-id.ts'
import { fieldErrorOf } from '../testing/field-error.ts'
import { rounds } from '../testing/rounds.ts'
import { copyTask } from '../testing/stored-rows.ts'
import { onEveryServer, type TestUser, userForAll } from '../testing/test-server.ts'
import { searchLimits } from './search-hits.ts'

const foldedOf = ({ title, body }: { title: string; body: string }) => foldedTexts([title, body])

onEveryServer('a search', ({ server }) => {
  const user = userForAll(server)

  const search = (user: TestUser, q: string, more = '') =>
    user.call(`GET /search?q=${encodeURIComponent(q)}${more}`)
  const titles = async (user: TestUser, q: string) =>
    (await search(user, q)).json.tasks.map(({ title }) => title)

  test.each([
    ['東京に行く', '東京'],
    ['Buy milk', 'bu mi'],
    ['Buy milk', 'ILK'],
    ['Łódź und Straßburg', 'lodz strassburg'],
    ['Ёлка', 'елка'],
    ['Ἀθήνα, ά', 'αθηνα α'],
    ['ΟΔΟΣΑΣ', 'οδος'],
    ['cafe\u0301', 'CAFÉ'],
    ['100% of a_b\\c', '100% a_b \\c'],
    ['it\'s "quoted"; --', `"quoted"; it's --`],
    ['“#home”', '#HOME'],
    ['👩‍👩‍👧 family', '👩'],
  ])('for a part of “%s” by “%s” finds it in a title and in a body', async (text, q) => {
    const user = await server.newUser()
    await user.addTask({ title: 'in the body', body: `one\n${text}\ntwo` })
    await user.addTask({ title: text })
    await user.addTask({ title: 'unrelated' })
    expect(await titles(user, q)).toEqual([text, 'in the body'])
  })

  test.each(['%', '_', '\\', '%%', 'a%c', 'a_c', '#hom', 'b-a', '\u0001'])(
    'for %j finds no text without it: no character has a special meaning',
    async (q) => {
      const user = await server.newUser()
      await user.addTask({ title: 'abc', body: '#home' })
      expect(await titles(user, q)).toEqual([])
    },
  )

  test('finds the newest texts of what is not deleted', async () => {
    const user = await server.newUser()
    const { _id } = await user.addTask({ title: 'first', body: 'kept' })
    await user.editTask(_id, { title: 'Second', dueDate: '2026-11-21', priority: 'low' })
    expect([await titles(user, 'first'), await titles(user, 'second kept')]).toEqual([[], ['Second']])
    const { seq } = await user.change(_id, { body: 'Other' })
    expect([await titles(user, 'kept'), await titles(user, 'second other')]).toEqual([[], ['Second']])
    await user.deleteTask(_id)
    expect(await titles(user, 'second')).toEqual([])
    for (const undone of [Number(seq) + 1, seq]) await user.undo(undone)
    expect([await titles(user, 'other'), await titles(user, 'second kept')]).toEqual([[], ['Second']])
  })

  test('finds open tasks before done ones, those with the words in the title first, then the newest', async () => {
    const user = await server.newUser()
    for (const title of ['done garden', 'garden', 'x', 'garden again', 'done x'])
      await user.addTask({ title, body: 'garden' })
    for (const { _id, title } of (await search(user, 'done')).json.tasks)
      if (title.startsWith('done')) await user.change(_id, { done: true })
    expect(await titles(user, 'garden')).toEqual(['garden again', 'garden', 'x', 'done garden', 'done x'])
  })

  test('for a tag finds this tag and not those that it begins', async () => {
    const user = await server.newUser()
    for (const title of ['#homework', 'a C#home', '#home-made', 'body', '#Hömé', 'at home'])
      await user.addTask({ title, body: title === 'body' ? 'x #home, y' : '' })
    expect(await titles(user, '#home')).toEqual(['#Hömé', 'body'])
    expect(await titles(user, 'x #home')).toEqual(['body'])
    expect(await titles(user, 'home')).toHaveLength(6)
  })

  test('for a tag reads code as the page does, in each text of an item', async () => {
    const user = await server.newUser()
    const bodies = { 'in code': '`#plan`', 'in a fence': '```\n#plan\n```', part: '#plan/b' }
    for (const [title, body] of Object.entries({ ...bodies, 'after a tick `': 'a #plan ` b' }))
      await user.addTask({ title, body })
    await user.addNote('```\n#plan\n```')
    await user.addNote('Note\n\n[#plan](https://example.org/#plan) and #plan')
    expect(await titles(user, '#plan')).toEqual(['after a tick `'])
    expect(await titles(user, '#plan/b')).toEqual(['part'])
    expect((await search(user, '#plan')).json.notes.map(({ title }) => title)).toEqual(['Note'])
  })

  test('finds notes too, in their texts, as summaries: words in the title first, then the newest text, and no items of somebody else', async () => {
    const user = await server.newUser()
    const inText = await user.addNote('# Plan\n\nBuy some Mílk')
    const inTitle = await user.addNote('Milk\n\nrest')
    const tagged = await user.addNote('Shop\n\nmilk #home')
    await user.addTask({ title: 'Milk' })
    const notes = async (q: string) => (await search(user, q)).json.notes.map(({ title }) => title)
    expect(await notes('milk')).toEqual(['Milk', 'Shop', 'Plan'])
    expect([await notes('#home'), await notes('#hom')]).toEqual([['Shop'], []])
    expect(await titles(user, 'milk')).toEqual(['Milk'])
    await user.change(inText._id, { text: 'Plan\n\nnothing' }, { kind: 'note', base: inText.version })
    await user.change(inTitle._id, { deleted: true }, { kind: 'note' })
    await user.change(tagged._id, { pinned: true }, { kind: 'note' })
    expect(await notes('milk')).toEqual(['Shop'])
    const eve = await server.newUser()
    await user.addTask({ title: 'Ada’s secret #plan' })
    for (const q of ['milk', 'secret', '#plan', 's']) expect((await search(eve, q)).json).toEqual(nothing)
  })

  test('answers with at most `limit` tasks, and says whether there are more', async () => {
    const user = await server.newUser()
    const added = { dueDate: '2026-11-21', priority: 'low' }
    const sets = Array.from({ length: 200 }, (_, number) => ({ ...added, title: `Task ${number}` }))
    await user.send(...sets.map((set) => ({ item: newId(), set })))
    const counts = async (q: string, more?: string) => {
      const { tasks, more: isMore, complete } = (await search(user, q, more)).json
      return [tasks.length, isMore, complete]
    }
    expect(await counts('task')).toEqual([50, true, true])
    expect(await counts('task', '&limit=7')).toEqual([7, true, true])
    expect(await counts('task', '&limit=200')).toEqual([200, false, true])
    expect(await counts('task 19', '&limit=50')).toEqual([12, false, true])
    await user.addTask({ title: 'Task one more' })
    expect(await counts('task', '&limit=200')).toEqual([200, true, true])
    expect((await titles(user, 'task'))[0]).toBe('Task one more')
  })

  test.each([['garden'], ['garden #home']])(
    'for “%s” answers with the best 200 of many, wherever they are stored',
    async (q) => {
      const { rowsPerStatement } = searchLimits
      searchLimits.rowsPerStatement = 64
      onTestFinished(() => void Object.assign(searchLimits, { rowsPerStatement }))
      const user = await server.newUser()
      const { _id } = await user.addTask({ title: 'garden #home' })
      const random = (count: number) => Math.floor(Math.random() * count)
      const stored = Array.from({ length: 600 }, () => {
        const [title, body] = random(4) === 0 ? ['garden #home', ''] : ['', 'garden #home']
        const task = { title, body, created_at: random(20), done_at: random(2) === 0 ? null : random(20) }
        return { ...task, id: newId(), folded: foldedOf(task) }
      })
      const row = await copyTask(server.database, _id, stored)
      const ranked = [row, ...stored].map(({ id, title, created_at, done_at }) => ({
        ...{ id, isSimilar: false, isDone: done_at !== null, inTitle: title !== '' },
        at: done_at ?? created_at,
      }))
      const { tasks, more } = (await search(user, q, '&limit=200')).json
      const best = ranked.sort(compareRanks).slice(0, 200)
      expect([tasks.map((task) => task._id), more]).toEqual([best.map(({ id }) => id), true])
    },
  )

  test('finds titles and tags with one wrong letter, behind exact hits, unless these are enough', async () => {
    const user = await server.newUser()
    await user.addTask({ title: 'Renew the Pässport' })
    await user.addTask({ title: 'Passports', body: 'for #travels' })
    await user.addTask({ title: 'Elsewhere', body: 'passport' })
    await user.change((await user.addTask({ title: 'A pasport' }))._id, { done: true })
    const found = async (q: string) => {
      const { tasks, similar } = (await search(user, q)).json
      return [tasks.map(({ title }) => title), similar]
    }
    const inTitles = ['Passports', 'Renew the Pässport']
    expect(await found('pasport')).toEqual([
      ['A pasport', ...inTitles],
      ['passport', 'passports'],
    ])
    expect(await found('#travles passports')).toEqual([['Passports'], ['#travels']])
    expect(await found('passport')).toEqual([[...inTitles, 'Elsewhere', 'A pasport'], ['pasport']])
    for (let number = 0; number < 4; number++) await user.addTask({ title: 'The pasport' })
    expect((await found('pasport'))[1]).toEqual([])
  })

  test('shows of a note where a word is', async () => {
    const user = await server.newUser()
    await user.addNote(`# Trip\n\n${'What to do first. '.repeat(300)}\nThen take the Fähre to the island.`)
    const [found] = (await search(user, 'fahre')).json.notes
    expect(found?.excerpt).toBe('…Then take the Fähre to the island.')
    expect((await search(user, 'trip')).json.notes[0]?.excerpt).toMatch(/^What to do first/)
  })

  test('answers with about 1 MiB of long tasks, and says that there are more', async () => {
    const user = await server.newUser()
    const expected: string[] = []
    for (let number = 0; number < 9; number++) {
      const { title } = await user.addTask({ title: `Long ${number}`, body: 'ä'.repeat(100_000) })
      expected.unshift(title)
      const { text, json } = await search(user, 'long')
      expect(json.tasks.map((task) => task.title)).toEqual(expected.slice(0, 5))
      expect([json.more, Buffer.byteLength(text) < 1_100_000]).toEqual([number >= 5, true])
    }
  })

  test('reads a limited number of bytes, and says that it has not read all', async () => {
    const { bytes } = searchLimits
    expect(bytes).toBe(64 * 1_048_576)
    // A sixteenth is reached sooner.
    searchLimits.bytes = bytes / 16
    onTestFinished(() => void Object.assign(searchLimits, { bytes }))
    const user = await server.newUser()
    const { _id } = await user.addTask({ title: 'oldest' })
    const long = 'x'.repeat(1_048_576)
    for (const folded of [long, long, long, `${long} last`])
      await copyTask(server.database, _id, [{ folded }])
    expect((await search(user, 'oldest')).json).toEqual({ ...nothing, complete: false })
    expect((await search(user, 'last')).json).toMatchObject({ tasks: [{}], complete: false })
    expect((await search(user, '#last')).json).toMatchObject({ tasks: [], complete: false })
  })

  test('shows all changes up to its cursor', async () => {
    const { headers } = await user.call('GET /list/getLatestTasks')
    expect((await search(user, 'plan')).headers['changes-cursor']).toBe(headers['changes-cursor'])
  })

  describe('is rejected', () => {
    test.each([
      ['', 'must contain a word'],
      [' \n ', 'must contain a word'],
      ['\u0301', 'must contain a word'],
      ['x'.repeat(201), 'must have at most 200 characters'],
      ['a b c d e f g h i j k l m n o p q', 'must have at most 16 words'],
      ['a\0b', 'must not contain U+0000 or an unpaired surrogate'],
    ])('for %j: the query %s', async (q, message) => {
      expect(fieldErrorOf(await search(user, q))).toEqual([400, 'q', message])
    })

    test('without a query, and with a limit out of range', async () => {
      expect(fieldErrorOf(await user.call('GET /search'))).toEqual([400, 'q', 'is missing'])
      const tooMany = fieldErrorOf(await search(user, 'x', '&limit=201'))
      expect(tooMany).toEqual([400, 'limit', 'must be at most 200'])
    })
  })

  test('finds exactly the tasks whose folded text contains the folded words, whatever they are', async () => {
    const more = ['e\u0301', '한', 'हि', '\u200d', 'ﬁ', 'Ⅷ', '👧', '\n', '\u00a0']
    const unit = fc.constantFrom(...'aAäß東京Łiıςσ% _\\\'"#-1', ...more)
    const text = fc.string({ unit, maxLength: 12 })
    const stored = fc.sample(fc.record({ title: text.map((title) => `.${title}`), body: text }), 120)
    const user = await server.newUser()
    for (const task of stored) await user.addTask(task)
    const queries = fc.sample(fc.string({ unit, minLength: 1, maxLength: 4 }), rounds(150))
    for (const q of queries.filter((q) => wordsOf(q).length > 0)) {
      const words = wordsOf(q)
      const textsOf = ({ title, body }: { title: string; body: string }) => [title, body]
      const exact = stored.filter((task) => hasWords(foldedOf(task), words, textsOf(task)))
      const similarIn = similarTo(words)
      const isSimilar = (task: { title: string; body: string }) => similarIn(foldedOf(task), textsOf(task))
      const similar = exact.length < fewHits ? stored.filter(isSimilar) : []
      const found = (await search(user, q, '&limit=200')).json.tasks.map(textOf)
      expect(found.toSorted(), q).toEqual([...exact, ...similar].map(textOf).sort())
    }
  })
})

const nothing = { tasks: [], notes: [], similar: [], more: false, complete: true }

const textOf = ({ title, body }: { title: string; body: string }) => JSON.stringify([title, body])
