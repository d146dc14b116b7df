import { tokenKey } from '#contract/limits.ts'
import { card } from './dashboard-page.ts'
import { openFollowing, streamPath } from './devices.ts'
import { expect, test } from './fixtures.ts'
import { editor, notePane, notePath, notesOf, otherDevice } from './notes-page.ts'
import { startServer } from './server.ts'
import { register } from './user.ts'

test('A server that is killed again and again while two devices type loses nothing of either', async ({
  browser,
}) => {
  // The waits for four saves after a crash are a minute each.
  test.slow()
  let server = await startServer()
  const user = await register(server.address)
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Title\n\nfirst\n\nlast')
  const devices = [
    await otherDevice(browser, server, user),
    await otherDevice(browser, server, user),
  ] as const
  for (const [index, device] of devices.entries()) {
    await device.goto(notePath(id))
    await editor(device)
      .getByText(index === 0 ? 'first' : 'last')
      .click()
    await device.keyboard.press('End')
  }
  let typed = 0
  for (let crash = 0; crash < 2; crash++) {
    const type = async () => {
      typed++
      for (const [index, device] of devices.entries())
        await device.keyboard.type(`\nline ${typed} of ${index}`, { delay: 10 })
    }
    await type()
    // Some of it is saved, some is being sent, some is not sent yet.
    await expect(notePane(devices[0]).locator('.note-state').first()).toHaveText('Saved')
    await type()
    const { restart } = await server.crash()
    await type()
    await expect(notePane(devices[0]).locator('.note-state').first()).toContainText('Kept in this browser')
    server = await restart()
    for (const device of devices)
      await expect(notePane(device).locator('.note-state').first()).toHaveText('Saved', { timeout: 60_000 })
  }
  const lines = (index: number) => Array.from({ length: typed }, (_, line) => `line ${line + 1} of ${index}`)
  const text = ['Title', '', 'first', ...lines(0), '', 'last', ...lines(1)].join('\n')
  await expect.poll(async () => (await notes.get(id)).text).toBe(text)
  for (const device of devices) await device.context().close()
  await server.stop()
})

test('Text that was typed while the server was down is saved by the next page, after the browser was closed too', async ({
  browser,
}) => {
  const server = await startServer()
  const user = await register(server.address)
  const { _id: id } = await notesOf(server, user).add('Title')
  const device = await otherDevice(browser, server, user)
  await device.goto(notePath(id))
  await editor(device).click()
  const { restart } = await server.crash()
  await device.keyboard.press('ControlOrMeta+End')
  await device.keyboard.type('\ntyped without a server')
  await expect(notePane(device).locator('.note-state').first()).toContainText('Kept in this browser')
  // The storage that a browser keeps when it is closed.
  const storageState = await device.context().storageState()
  expect(storageState.origins[0]?.localStorage.map(({ name }) => name)).toContain(tokenKey)
  await device.context().close()
  const again = await restart()
  const context = await browser.newContext({ baseURL: again.address, storageState })
  const page = await context.newPage()
  await page.goto(notePath(id))
  await expect(editor(page)).toContainText('typed without a server')
  await expect
    .poll(async () => (await notesOf(again, user).get(id)).text)
    .toBe('Title\ntyped without a server')
  await context.close()
  await again.stop()
})

test('The stream of a page returns after the server was killed, with the changes that were made before and after it', async ({
  browser,
}) => {
  let server = await startServer()
  const user = await register(server.address)
  const device = await otherDevice(browser, server, user)
  await openFollowing(device)
  const { restart } = await server.crash()
  const stream = device.waitForResponse(
    (response) => response.url().endsWith(streamPath) && response.status() === 200,
  )
  server = await restart()
  await user.add({ title: 'before the stream' })
  await stream
  await user.add({ title: 'after it' })
  await expect(card(device, 'before the stream')).toBeVisible()
  await expect(card(device, 'after it')).toBeVisible()
  await device.context().close()
  await server.stop()
})
