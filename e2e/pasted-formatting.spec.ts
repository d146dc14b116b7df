import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { editor, notePane, notesTest as test, tool } from './notes-page.ts'

/** Pastes, or drops at the end of the last line. */
const paste = (page: Page, html: string, plain?: string, type: 'paste' | 'drop' = 'paste') =>
  editor(page).evaluate(
    (content, copied) => {
      const data = new DataTransfer()
      data.setData('text/html', copied.html)
      if (copied.plain !== undefined) data.setData('text/plain', copied.plain)
      const options = { bubbles: true, cancelable: true }
      const { right = 0, bottom = 0 } = content.lastElementChild?.getBoundingClientRect() ?? {}
      const place = { clientX: right - 2, clientY: bottom - 2 }
      content.dispatchEvent(
        copied.type === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, ...place, dataTransfer: data }),
      )
    },
    { html, plain, type },
  )

const samples = globSync(join(import.meta.dirname, '../web/notes/pasting/samples/*.html')).sort()

test('Text from eight programs keeps its formats without inline styles', async ({ page, openNote }) => {
  const blocked: string[] = []
  page.on(
    'console',
    (message) => /Content Security Policy/.test(message.text()) && blocked.push(message.text()),
  )
  const { stored } = await openNote('')
  for (const file of samples) {
    const [html = '', plain = '', markdown = ''] = ['html', 'txt', 'md'].map((type) =>
      readFileSync(file.replace(/html$/, type), 'utf8'),
    )
    await page.keyboard.press('ControlOrMeta+a')
    await paste(page, html, plain)
    await stored(markdown.trimEnd())
  }
  expect(blocked).toEqual([])
})

test('Check lines copied from a reading view keep boxes', async ({ page, context, user, openNote }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const task = await user.add({ title: 'Renew the visa' })
  const others = `- [ ] the **blue** coat\n- [ ] [visa](task:${task._id})\n`
  const from = await openNote(`Trip\n\n- [ ] tickets\n- [x] passport\n${others}`)
  await tool(page, 'Reading view').click()
  await notePane(page).getByRole('checkbox', { name: 'tickets' }).click()
  await expect(notePane(page).getByRole('checkbox', { name: 'tickets' })).toBeChecked()
  await notePane(page).getByRole('checkbox', { name: 'passport' }).click()
  await from.stored(`Trip\n\n- [x] tickets\n- [ ] passport\n${others}`)
  await page.locator('.reading').evaluate((reading) => {
    getSelection()?.selectAllChildren(reading.querySelector('ul') ?? reading)
  })
  await page.keyboard.press('ControlOrMeta+c')
  const to = await openNote('')
  await page.keyboard.press('ControlOrMeta+v')
  await to.stored('- [x] tickets\n- [ ] passport\n- [ ] the **blue** coat\n- [ ] Renew the visa')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(editor(page)).not.toContainText('**')
  await expect(editor(page)).toContainText('the blue coat')
})

test('Formatted text stays plain only where formats would do harm', async ({ page, openNote }) => {
  const { stored } = await openNote('Title\n\n```\ncode\n```\n\n- [ ] box')
  await editor(page).getByText('code', { exact: true }).click()
  await page.keyboard.press('End')
  await paste(page, '<b>one</b>', ' one')
  await page.keyboard.press('ControlOrMeta+End')
  await paste(page, '<b>two</b>', ' two')
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('End')
  await paste(page, '<b>three</b>', ' three and four')
  // Once it is shown, those before it would have been converted too.
  await page.keyboard.press('ControlOrMeta+Home')
  await paste(page, '<b>five</b>', 'five')
  await stored('**five**Title three and four\n\n```\ncode one\n```\n\n- [ ] box two')

  const other = await openNote('Title\n\n- [ ] box')
  await page.keyboard.press('ControlOrMeta+Home')
  await paste(page, '<p>no <b>plain</b>: </p>')
  await other.stored('no **plain**:Title\n\n- [ ] box')
  await page.keyboard.press('ControlOrMeta+z')
  await other.stored('no plain:Title\n\n- [ ] box')
  await page.keyboard.press('ControlOrMeta+z')
  await paste(page, '<p>without formats </p>')
  await other.stored('without formatsTitle\n\n- [ ] box')
  await page.keyboard.press('ControlOrMeta+End')
  await paste(page, ' <b>ticked</b>')
  await other.stored('without formatsTitle\n\n- [ ] boxticked')
  await page.keyboard.press('ControlOrMeta+Home')
  await paste(page, ' <b>plain</b>', ' plain', 'drop')
  await other.stored('without formatsTitle\n\n- [ ] boxticked plain')
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+Home')
  await paste(page, '<ul><li>dropped<ul><li><b>below</b></ul></ul>', 'dropped\nbelow', 'drop')
  await other.stored('without formatsTitle\n\n- [ ] boxticked plain\n- dropped\n  - **below**')
})

test('A picture says that notes cannot keep it, until something is typed', async ({ page, openNote }) => {
  const { stored } = await openNote('Title')
  const notice = notePane(page).getByRole('alert')
  const transfer = (type: 'paste' | 'drop', texts: Record<string, string> = {}) =>
    editor(page).evaluate(
      (content, given) => {
        const data = new DataTransfer()
        data.items.add(new File(['<svg/>'], 'cat.svg', { type: 'image/svg+xml' }))
        for (const [format, text] of Object.entries(given.texts)) data.setData(format, text)
        const options = { bubbles: true, cancelable: true, composed: true }
        const event =
          given.type === 'paste'
            ? new ClipboardEvent('paste', { ...options, clipboardData: data })
            : new DragEvent('drop', { ...options, dataTransfer: data })
        content.dispatchEvent(event)
      },
      { type, texts },
    )
  for (const type of ['paste', 'drop'] as const) {
    await transfer(type, { 'text/html': '<img src="cat.svg">' })
    await expect(notice).toHaveText('Pictures cannot be kept in notes yet.')
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    await expect(notice).toBeHidden()
  }
  await transfer('paste', { 'text/plain': 'cells', 'text/html': '<b>cells</b>' })
  await stored('Title!!**cells**')
  await expect(notice).toBeHidden()
})

const hostile = {
  '1 MB': ['<p>a <b>b</b></p>'.repeat(60_000), 'plain'],
  'elements that are 10,000 deep': [`${'<div>'.repeat(10_000)}<b>b</b>`, 'plain'],
  'formats that every paragraph repeats': [
    `<p>${Array.from({ length: 1000 }, (_, id) => `<b id="${id}">`).join('')}${'<p>x'.repeat(40_000)}`,
    'plain',
  ],
  'comments and tags without an end': ['<!--'.repeat(30_000) + '<a '.repeat(30_000), 'plain'],
} as const

test('Hostile HTML is pasted as plain text, and never runs', async ({ page, openNote, alerts }) => {
  const loaded: string[] = []
  page.on('request', (request) => /evil/.test(request.url()) && loaded.push(request.url()))
  const { stored } = await openNote('')
  for (const [html, plain] of Object.values(hostile)) {
    await page.keyboard.press('ControlOrMeta+a')
    await paste(page, html, plain)
    await stored(plain)
  }
  await page.keyboard.press('ControlOrMeta+a')
  await paste(
    page,
    '<script>alert(1)</script><img src="https://evil.example/x" onerror="alert(2)"><img src="data:image/svg+xml,x" alt="c">' +
      '<b onclick="alert(3)">a</b> <a href="javascript:alert(4)">b</a><iframe srcdoc="<script>alert(5)</script>"></iframe>' +
      '<svg onload="alert(6)"><script>alert(7)</script></svg><style>@import "https://evil.example/y"</style>',
    'a b',
  )
  await stored('**a** b')
  expect([alerts, loaded]).toEqual([[], []])
})
