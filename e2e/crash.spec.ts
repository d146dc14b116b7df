import type { Page } from '@playwright/test'
import { tokenKey } from '#contract/limits.ts'
import { card } from './dashboard-page.ts'
import { openFollowing, streamPath } from './devices.ts'
import { expect, test } from './fixtures.ts'
import { editor, notePane, notePath, notesOf, otherDevice } from './notes-page.ts'
import { type Server, startServer } from './server.ts'
import { register } from './user.ts'

const saving = (page: Page) => notePane(page).locator('.note-state').first()

test('A server that is killed again and again while devices type loses nothing that was typed or changed meanwhile', async ({
  browser,
}) => {
  // The waits for four saves after a crash are a minute each.
  test.slow()
  let server = await startServer()
  const user = await register(server.address)
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Title\n\nfirst\n\nlast')
  const { _id: other } = await notes.add('Other')
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
  for (const between of [followAgain, closeAndOpen]) {
    const type = async () => {
      typed++
      for (const [index, device] of devices.entries())
        await device.keyboard.type(`\nline ${typed} of ${index}`, { delay: 10 })
    }
    await type()
    // Some of it is saved, some is being sent, some is not sent yet.
    await expect(saving(devices[0])).toHaveText('Saved')
    await type()
    server = await between(await otherDevice(browser, server, user), async () => {
      const { restart } = await server.crash()
      await type()
      await expect(saving(devices[0])).toContainText('Saved on this device')
      return restart
    })
    for (const device of devices) await expect(saving(device)).toHaveText('Saved', { timeout: 60_000 })
  }
  const lines = (index: number) => Array.from({ length: typed }, (_, line) => `line ${line + 1} of ${index}`)
  const text = ['Title', '', 'first', ...lines(0), '', 'last', ...lines(1)].join('\n')
  await expect.poll(async () => (await notes.get(id)).text).toBe(text)
  for (const device of devices) await device.context().close()
  await server.stop()

  type Crash = () => Promise<() => Promise<Server>>

  function followAgain(device: Page, crash: Crash) {
    return test.step('The stream of a page returns, with the changes that were made before and after it', async () => {
      await openFollowing(device)
      const restart = await crash()
      const stream = device.waitForResponse(
        (response) => response.url().endsWith(streamPath) && response.status() === 200,
      )
      const again = await restart()
      await user.add({ title: 'before the stream' })
      await stream
      await user.add({ title: 'after it' })
      await expect(card(device, 'before the stream')).toBeVisible()
      await expect(card(device, 'after it')).toBeVisible()
      await device.context().close()
      return again
    })
  }

  function closeAndOpen(device: Page, crash: Crash) {
    return test.step('Text that was typed while the server was down is saved by the next page, after the browser was closed too', async () => {
      await device.goto(notePath(other))
      await editor(device).click()
      const restart = await crash()
      await device.keyboard.press('ControlOrMeta+End')
      await device.keyboard.type('\ntyped without a server')
      await expect(saving(device)).toContainText('Saved on this device')
      // The storage that a browser keeps when it is closed.
      const storageState = await device.context().storageState()
      expect(storageState.origins[0]?.localStorage.map(({ name }) => name)).toContain(tokenKey)
      await device.context().close()
      const again = await restart()
      const context = await browser.newContext({ baseURL: again.address, storageState })
      const page = await context.newPage()
      await page.goto(notePath(other))
      await expect(editor(page)).toContainText('typed without a server')
      await expect.poll(async () => (await notes.get(other)).text).toBe('Other\ntyped without a server')
      await context.close()
      return again
    })
  }
})
