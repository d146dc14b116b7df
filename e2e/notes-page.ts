import { type BrowserContext, expect, type Page } from '@playwright/test'
import { apiBase } from '#contract/limits.ts'
import type { Note } from '#contract/notes.ts'
import { signedInTest } from './fixtures.ts'
import type { Server } from './server.ts'
import { firefoxOnAndroid, logInElsewhere } from './sign-in.ts'
import { caller, type User } from './user.ts'

export const notesList = (page: Page) => page.getByRole('region', { name: 'Notes', exact: true })
export const notePane = (page: Page) => page.getByRole('region', { name: 'Note', exact: true })

/** A note in the list, by the beginning of its title. */
export const noteLink = (page: Page, title: string) =>
  notesList(page)
    .getByRole('listitem')
    .getByRole('link', { name: new RegExp(`^(Not sent yet )?${title}`) })

/** The field in which a note is written. */
export const field = (page: Page) => notePane(page).getByRole('textbox', { name: 'Note' })

export const editor = (page: Page) => page.locator('.cm-content')

export const tool = (page: Page, name: string) => notePane(page).getByRole('button', { name, exact: true })

export const writeButton = (page: Page) => page.getByRole('button', { name: 'Write a note', exact: true })

/** The text in the editor, as it is stored; only for texts that fit on the screen and have no widgets. */
export const textOf = (page: Page) => editor(page).innerText()

export const notePath = (id: string) => `/dashboard/notes/${id}`

type Change = { text?: string; pinned?: boolean; deleted?: boolean }

/** The changes of another device of a user to notes, through the API. */
export function notesOf(server: Server, user: User) {
  const call = caller(server.address, user.token)
  const get = async (id: string) => (await call<{ note: Note }>('GET', `/notes/${id}`)).note
  return {
    get,
    /** The notes in another session of the user, of Firefox on Android: its saves are versions of their own. */
    async otherSession() {
      const token = await logInElsewhere(server.address, user, firefoxOnAndroid)
      return notesOf(server, { ...user, token })
    },
    list: async () => (await call<{ notes: { _id: string; title: string }[] }>('GET', '/notes')).notes,
    async change(item: string, set: Change, base?: number) {
      const changes = [{ mutation: crypto.randomUUID(), item, kind: 'note', set, base }]
      const { items } = await call<{ items: [{ item: Note }] }>('POST', '/changes', { changes })
      return items[0].item
    },
    add(text: string, set: Change = {}): Promise<Note> {
      return this.change(crypto.randomUUID(), { text, ...set }, 0)
    },
    async write(id: string, text: string) {
      return await this.change(id, { text }, (await get(id)).version)
    },
  }
}

export const draftsIn = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('note-draft')))

/** Makes every call fail as if the server were unreachable, until the returned function is called. */
export async function cutOff(context: BrowserContext) {
  const pattern = `**${apiBase}/**`
  await context.route(pattern, (route) => route.abort('connectionrefused'))
  // Chromium can send a request past the first route of a loaded page.
  for (const page of context.pages())
    await expect
      .poll(() => page.evaluate((url) => fetch(url).then(Boolean, () => false), `${apiBase}/user/validate`))
      .toBe(false)
  return async () => {
    await context.unroute(pattern)
    // As a browser does: the next attempt of the page alone can be a minute away.
    for (const page of context.pages()) await page.evaluate(() => window.dispatchEvent(new Event('online')))
  }
}

export const state = (page: Page, text: string | RegExp) =>
  expect(notePane(page).locator('.note-state').first()).toHaveText(text)

type OpenNote = {
  id: string
  text: () => Promise<string>
  /** Waits until the server has this text. Until the page shows that the last key is not saved, it can still show that those before are. */
  stored: (text: string | RegExp) => Promise<void>
}

type Fixtures = {
  /** The notes of the user, as another device changes them. */
  notes: ReturnType<typeof notesOf>
  /** Adds a note and opens it, with the caret at its end. */
  openNote: (text: string) => Promise<OpenNote>
}

export const notesTest = signedInTest.extend<Fixtures>({
  notes: ({ server, user }, use) => use(notesOf(server, user)),
  openNote: ({ page, notes }, use) =>
    use(async (begin) => {
      const { _id: id } = await notes.add(begin)
      await page.goto(notePath(id))
      await enterNote(page)
      const text = async () => (await notes.get(id)).text
      const stored = (expected: string | RegExp) =>
        typeof expected === 'string' ? expect.poll(text).toBe(expected) : expect.poll(text).toMatch(expected)
      return { id, text, stored }
    }),
})

export async function enterNote(page: Page) {
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
}

export async function writeNew(page: Page) {
  await page.goto('/dashboard/notes')
  await writeButton(page).click()
  await expect(editor(page)).toBeFocused()
}

/** Keeps a file of the page from loading until one of the returned functions is called. */
export async function holdFile(page: Page, name: string) {
  const loads = Promise.withResolvers<boolean>()
  await page.route(`**/assets/${name}-*.js`, async (route) =>
    (await loads.promise) ? await route.continue() : await route.abort('internetdisconnected'),
  )
  return { arrive: () => loads.resolve(true), fail: () => loads.resolve(false) }
}

export async function pasteText(page: Page, text: string) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('ControlOrMeta+v')
}
