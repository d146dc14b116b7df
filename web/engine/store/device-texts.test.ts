import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, expect, test } from 'vitest'
import type { Note } from '#contract/notes.ts'
import { createDevice } from './device.ts'
import { createDeviceDatabase } from './device-database.ts'
import { createDeviceTexts } from './device-texts.ts'
import { summarized } from './known-items.ts'
import { createStore } from './store.ts'

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
})

/** A note whose text takes 20 bytes, which was changed on this day. */
const noteOf = (name: string, day: number, pinned = false): Note => ({
  ...{ _id: name, text: name.padEnd(10, '.'), pinned, version: day, deletedAt: null },
  createdAt: '2026-11-01T12:00:00.000Z',
  changedAt: `2026-11-0${day}T12:00:00.000Z`,
})

const notes = [
  noteOf('pinned', 1, true),
  ...['opened', 'older', 'newer', 'newest'].map((name, index) => noteOf(name, index + 2)),
]

/** The texts of a device with room for four of them, in a page that knows these notes. */
async function textsOf(account: string) {
  const store = createStore()
  store.put({ notes: notes.map(summarized) })
  const replication = { cursor: 'a.5', hasPassed: () => true, wasReset: () => false, resume() {} }
  await createDevice({ database: 'daymark', account, store, replication, today: () => '2026-11-21' }).save()
  const database = createDeviceDatabase('daymark', account, () => {})
  const texts = createDeviceTexts(database, store, { bytes: 80, read: 2 })
  const named = (name: string) => notes.find(({ _id }) => _id === name) as Note
  return {
    ...texts,
    end: database.close,
    async open(name: string) {
      store.put({ texts: [named(name)] })
      await texts.save()
    },
    fetch: (name: string) => texts.keep([named(name)]),
    purge: (name: string) => store.follow({ purged: [name] }, 6),
    missingNames: async () => (await texts.missing()).map(({ _id }) => _id),
    async names() {
      const names: string[] = []
      for await (const part of texts.all()) names.push(...part.map(({ _id }) => _id))
      return names.toSorted()
    },
  }
}

test('The texts of pinned notes are fetched first, then the newest, and opened ones are not fetched again', async () => {
  const texts = await textsOf('Ada')
  await texts.open('opened')
  expect(await texts.missingNames()).toEqual(['pinned', 'newest', 'newer', 'older'])
  await texts.fetch('pinned')
  expect(await texts.missingNames()).toEqual(['newest', 'newer', 'older'])
})

test('If not all texts fit, those of older notes that were not opened are dropped, and are not fetched again', async () => {
  const texts = await textsOf('Ada')
  await texts.open('opened')
  for (const name of ['older', 'newer', 'newest']) await texts.fetch(name)
  expect(await texts.names()).toEqual(['newer', 'newest', 'older', 'opened'])
  await texts.fetch('pinned')
  expect(await texts.names()).toEqual(['newer', 'newest', 'opened', 'pinned'])
  expect(await texts.missingNames()).toEqual([])
})

test('The text of a note that is deleted for good while it is fetched is not kept', async () => {
  const texts = await textsOf('Ada')
  texts.purge('older')
  await texts.keep(notes)
  expect(await texts.names()).toEqual(['newer', 'newest', 'opened', 'pinned'])
})

test('After a logout no text is kept, and none is fetched', async () => {
  const texts = await textsOf('Ada')
  await texts.fetch('newest')
  texts.end()
  await expect(texts.fetch('newer')).rejects.toThrow()
  await expect(texts.missing()).rejects.toThrow()
  await new Promise((removed) => {
    indexedDB.deleteDatabase('daymark').onsuccess = removed
  })
  expect(await (await textsOf('Ada')).names()).toEqual([])
})

test('Another account finds no text', async () => {
  const texts = await textsOf('Ada')
  await texts.fetch('newest')
  const others = await textsOf('Grace')
  expect(await others.names()).toEqual([])
  await texts.fetch('newer')
  expect(await others.names()).toEqual([])
})
