import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createPostgresServer } from '../server/testing/postgres-server.ts'
import {
  addDialog,
  card,
  cards,
  deleteButton,
  editButton,
  editDialog,
  fillTask,
  ring,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day } from './days.ts'
import { openFollowing, otherDevice } from './devices.ts'
import { test as base, expect } from './fixtures.ts'
import { type Server, startServer } from './server.ts'
import { expectToasts } from './toasts.ts'
import { register, type User } from './user.ts'

type Devices = { user: User; one: Page; other: Page }

/** Two devices of one user, each on a server of its own; both servers use one PostgreSQL database. */
const test = base.extend<Devices, { servers: [Server, Server] }>({
  servers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needs of a fixture from its pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'daymark-e2e-'))
      // PostgreSQL runs as a user of its own if the tests run as root.
      await chmod(folder, 0o755)
      const postgres = await createPostgresServer(folder)
      await postgres.start()
      const url = postgres.url('postgres')
      const servers: [Server, Server] = [await startServer(url), await startServer(url)]
      await use(servers)
      for (const server of servers) await server.stop()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  user: async ({ servers }, use) => use(await register(servers[0].address)),
  one: async ({ browser, servers, user }, use) =>
    useDevice(await otherDevice(browser, servers[0], user), use),
  other: async ({ browser, servers, user }, use) =>
    useDevice(await otherDevice(browser, servers[1], user), use),
})

async function useDevice(page: Page, use: (page: Page) => Promise<void>) {
  await openFollowing(page)
  await use(page)
  await page.context().close()
}

async function addTask(page: Page, title: string) {
  page.once('dialog', (dialog) => dialog.accept())
  await sidebarButton(page, 'Add Task').click()
  await fillTask(addDialog(page), { title, dueDate: day(0), priority: 'high' })
  await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
}

test('The changes of one device appear on the other, which uses another server', async ({ one, other }) => {
  await addTask(one, 'first')
  await expect(card(other, 'first')).toBeVisible()
  await addTask(other, 'second')
  await expect(card(one, 'second')).toBeVisible()
  await editButton(one, 'second').click()
  await fillTask(editDialog(one), { title: 'edited' })
  await editDialog(one).getByRole('button', { name: 'Save' }).click()
  await expect(card(other, 'edited')).toBeVisible()
  await ring(other, 'edited').click()
  await expect(cards(one)).toHaveCount(1)
  await deleteButton(one, 'first').click()
  await expect(cards(other)).toHaveCount(0)
  await expectToasts(other, ['info: No tasks for today'])
})

test('Undo on one device brings the task back on the other', async ({ one, other, user }) => {
  await user.add({ title: 'Water the plants' })
  await expect(card(one, 'Water the plants')).toBeVisible()
  await deleteButton(one, 'Water the plants').click()
  await expect(cards(other)).toHaveCount(0)
  await undoBar(one).getByRole('button', { name: 'Undo' }).click()
  await expect(card(other, 'Water the plants')).toBeVisible()
  expect(await titlesOf(one)).toEqual(await titlesOf(other))
})
