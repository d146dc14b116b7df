import { expect, onTestFinished } from 'vitest'
import type { Note } from '#contract/notes.ts'
import type { Engine } from '../engine.ts'
import { noteOf } from '../notes/note-calls.ts'
import { documentsOf } from '../notes/note-documents.ts'
import { testAccounts, titlesOf } from './test-accounts.ts'
import type { TestBrowser } from './test-browser.ts'

/** Starts a server for the tests of a file. `newAccount`: with the calls of a device without an engine. */
export function startNotesServer() {
  const { server, browserOf } = testAccounts()

  async function newAccount() {
    const user = await server.newUser()
    const get = async (id: string): Promise<Note> => (await user.call(`GET /notes/${id}`)).json.note
    async function change(item: string, set: object, base?: number): Promise<Note> {
      const changes = [{ mutation: crypto.randomUUID(), item, kind: 'note', set, base }]
      const { json } = await user.call('POST /changes', { body: { changes } })
      return json.items[0]?.item as Note
    }
    return {
      user,
      get,
      change,
      browser: () => browserOf(user),
      /** A browser that logged in itself: its saves are versions of their own. */
      async otherSession() {
        const { email, password } = user
        return browserOf((await server.call('POST /user/login', { body: { email, password } })).json)
      },
      add: (text: string) => change(crypto.randomUUID(), { text }, 0),
      write: async (id: string, text: string) => change(id, { text }, (await get(id)).version),
      /** Waits until the server has this text. */
      stored: (id: string, text: string | RegExp) =>
        expect
          .poll(async () => (await get(id))?.text, { interval: 5 })
          .toEqual(typeof text === 'string' ? text : expect.stringMatching(text)),
      /** The titles of the open tasks on the server. */
      tasks: () => titlesOf(user),
    }
  }

  /** An account with a note, which a tab has open. */
  async function begin(text: string) {
    const account = await newAccount()
    const [browser, { _id: id }] = [account.browser(), await account.add(text)]
    const tab = browser.open()
    return { ...account, browser, id, tab, note: await openNote(tab, id) }
  }
  return { newAccount, begin }
}

/** Opens a note in a tab, as its pane does. */
export async function openNote(tab: Engine, id: string) {
  const documents = documentsOf(tab)
  onTestFinished(documents.start())
  if (!documents.get(id)) await noteOf(tab, id).reload()
  const text = tab.store.text(id)
  const note = documents.get(id) ?? (text ? documents.open(text) : documents.create(id))
  return Object.assign(note, { leave: documents.use(note) })
}

/** The names of drafts in a browser's storage. */
export const draftsIn = ({ stored }: TestBrowser) =>
  Object.keys(stored).filter((key) => key.startsWith('note-draft'))
