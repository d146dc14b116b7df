import { expect, type Page } from '@playwright/test'
import { addDialog, sidebarButton } from './dashboard-page.ts'
import { day } from './days.ts'

export const draft = {
  title: 'Water the plants',
  body: 'The fern first.',
  dueDate: day(0),
  priority: 'high',
} as const

export const open = (page: Page) => sidebarButton(page, 'Add Task').click()
export const submit = (page: Page) => addDialog(page).getByRole('button', { name: 'Add Task' }).click()

export async function expectEmptyForm(page: Page) {
  for (const label of ['Title', 'Body', 'Due Date', 'Priority']) {
    await expect(addDialog(page).getByLabel(label, { exact: true })).toHaveValue('')
  }
}
