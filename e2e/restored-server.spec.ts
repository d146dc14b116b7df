import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordCalls, writesOf } from './calls.ts'
import { expect, test } from './fixtures.ts'
import { editor, notePath, notesOf, state } from './notes-page.ts'
import { startServer } from './server.ts'
import { signIn } from './sign-in.ts'
import { register } from './user.ts'

const temporary = () => mkdtemp(join(tmpdir(), 'daymark-e2e-'))

test('A note that is open while its server is restored to an older state keeps all that was typed, and is saved in a few calls', async ({
  page,
}) => {
  const [folder, backup] = [await temporary(), await temporary()]
  let server = await startServer(undefined, { folder, port: '0' })
  const user = await register(server.address)
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry')
  let stopped = await server.crash()
  await cp(folder, backup, { recursive: true })
  server = await stopped.restart()

  await signIn(page, server.address, user.token)
  await page.goto(server.address + notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('\none')
  await expect.poll(async () => (await notes.get(id)).text).toBe('Ferry\none')
  await state(page, 'Saved')

  stopped = await server.crash()
  await rm(folder, { recursive: true })
  await cp(backup, folder, { recursive: true })
  const calls = recordCalls(page)
  server = await stopped.restart()
  // The page hears of it, and sends what it has shown. While the server starts, its attempts come at growing intervals.
  await expect.poll(async () => (await notes.get(id)).text, { timeout: 60_000 }).toBe('Ferry\none')
  await page.keyboard.type(' two')
  await expect.poll(async () => (await notes.get(id)).text).toBe('Ferry\none two')
  await state(page, 'Saved')
  expect(writesOf(calls).length).toBeLessThanOrEqual(4)
  await server.stop()
  await rm(backup, { recursive: true })
})
