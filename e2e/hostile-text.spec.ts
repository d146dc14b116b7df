import { tokenKey } from '#contract/limits.ts'
import type { Priority } from '#contract/task-fields.ts'
import { force } from './calls.ts'
import {
  addDialog,
  card,
  cards,
  editButton,
  editDialog,
  fillTask,
  openDashboard,
  priorityButton,
  sidebarButton,
  titlesOf,
} from './dashboard-page.ts'
import { day, expect, test as ordinaryTest } from './fixtures.ts'
import { editor, notePane, notePath, notesList, notesTest, tool } from './notes-page.ts'

/** Each of these calls `harm` if any place that shows it runs it. */
const payloads = [
  '<script>harm("script")</script>',
  '"><script>harm("closed attribute")</script>',
  '</title></textarea></style><script>harm("closed element")</script>',
  '<img src=x onerror=harm("img")>',
  '"><svg/onload=harm("svg")>',
  '<details open ontoggle=harm("toggle")><input autofocus onfocus=harm("focus")>',
  '<iframe srcdoc="<script>parent.harm(1)</script>"></iframe>',
  '<form action="https://evil.example/"><a href="javascript:harm(1)" style="position:fixed;inset:0">x',
  '<style>@import url(https://evil.example/x.css); body { display: none }</style>',
  '<link rel=stylesheet href=https://evil.example/x.css><base href=https://evil.example/>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=harm("mutated")>',
  '<!--><img src=x onerror=harm("comment")>-->',
  '&lt;img src=x onerror=harm(1)&gt; &#x3C;script&#x3E;harm(2)&#x3C;/script&#x3E;',
  '%3Cscript%3Eharm(1)%3C/script%3E \\u003cscript\\u003eharm(2)\\u003c/script\\u003e',
  'javascript:harm("url")//https://evil.example/?q=<script>',
  'data:text/html,<script>harm("data")</script>',
  `'-harm("quote")-'"-harm("quotes")-"\`-harm("backtick")-\``,
  '{{constructor.constructor("harm(1)")()}} #{harm(2)} <%= harm(3) %>',
  '__proto__',
]
const all = payloads.join('\n')
const priorities = ['high', 'medium', 'low'] as const

/** The scripts that ran, the requests, and the violations of the policy during a test. Each test ends with none. */
const watched = {
  harms: [
    async ({ page, baseURL }, use) => {
      const harms: string[] = []
      await page.exposeFunction('harm', (what: unknown) => harms.push(`ran: ${what}`))
      await page.exposeFunction('violation', (what: string) => harms.push(`violation: ${what}`))
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          Reflect.get(window, 'violation')(`${violatedDirective} ${blockedURI}`),
        )
      })
      page.on('pageerror', (error) => harms.push(`error: ${error.message}`))
      page.on('console', (message) => {
        if (/content security policy|trusted type/i.test(message.text())) harms.push(message.text())
      })
      page.on('dialog', (dialog) => {
        const ours = /^(Task added successfully!|Failed to add task\. Please try again\.)/
        if (!ours.test(dialog.message())) harms.push(`dialog: ${dialog.message()}`)
        return dialog.accept()
      })
      page.on('popup', (popup) => harms.push(`popup: ${popup.url()}`))
      page.on('request', (request) => {
        if (new URL(request.url()).origin !== new URL(baseURL ?? '').origin)
          harms.push(`request: ${request.url()}`)
      })
      await use(harms)
      expect(harms).toEqual([])
    },
    { auto: true },
  ],
} satisfies Parameters<typeof ordinaryTest.extend<{ harms: string[] }>>[0]

const visitorTest = ordinaryTest.extend<{ harms: string[] }>(watched)
const test = notesTest.extend<{ harms: string[] }>(watched)

const refusedWith = (text: string, field: string) => ({
  status: 400,
  json: {
    type: text,
    title: text,
    status: 400,
    detail: text,
    errors: [{ field, code: 'invalid', message: text }],
  },
})

visitorTest('These tests detect scripts that run and content that is blocked', async ({ page, harms }) => {
  await page.goto('/about')
  await page.evaluate(() => {
    Reflect.get(window, 'harm')('this')
    document.body.append(Object.assign(new Image(), { src: 'https://evil.example/x.png' }))
    const script = document.createElement('script')
    try {
      script.text = 'harm("that")'
    } catch {}
    document.body.append(script)
  })
  await expect.poll(() => harms).toContain('ran: this')
  await expect.poll(() => harms.join()).toMatch(/violation: img-src https:\/\/evil\.example/)
  await expect.poll(() => harms.join()).toMatch(/violation: require-trusted-types-for/)
  expect(harms).not.toContain('ran: that')
  harms.length = 0
})

test('Script, markup and URLs in tasks are text on every panel, and never run', async ({ page, user }) => {
  for (const [i, payload] of payloads.entries()) {
    const priority = priorities[i % 3] ?? 'low'
    await user.add({ title: payload, body: `${payload} in a body`, dueDate: day(-(i % 2)), priority })
  }
  const of = (priority: Priority) => payloads.filter((_, i) => priorities[i % 3] === priority)
  await openDashboard(page)
  const panels: [() => Promise<void>, string[]][] = [
    [() => page.getByRole('button', { name: /more overdue$/ }).click(), payloads],
    [() => sidebarButton(page, 'Latest').click(), payloads],
    [() => sidebarButton(page, 'Priority').click(), of('high')],
    [() => priorityButton(page, 'Medium').click(), of('medium')],
    [() => priorityButton(page, 'Low').click(), of('low')],
  ]
  for (const [open, expected] of panels) {
    await open()
    await expect.poll(async () => (await titlesOf(page)).toSorted()).toEqual(expected.toSorted())
    for (const payload of expected) {
      await expect(card(page, payload).getByText(`${payload} in a body`, { exact: true })).toBeVisible()
    }
  }
  const links = cards(page).getByRole('link')
  for (const href of await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))) {
    expect(href).toMatch(/^https:\/\/evil\.example\//)
  }
  const foreign = cards(page).locator(
    'script, img, iframe, form, input:not([data-action=complete]), style, link, base, math, details',
  )
  await expect(foreign).toHaveCount(0)
})

test('They are text in the modals, in toasts, in alerts and in error messages', async ({ page }) => {
  await openDashboard(page)
  await sidebarButton(page, 'Add Task').click()
  const title = payloads.slice(0, 5).join(' ')
  const typed = { title, body: all, dueDate: day(0), priority: 'high' } as const
  await fillTask(addDialog(page), typed)
  await force(page, 'POST /list/addTask', refusedWith(all, 'title'))
  await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
  await expect(addDialog(page).getByLabel('Title', { exact: true })).toHaveAccessibleDescription(
    /harm\("closed attribute"\)/,
  )
  await page.unrouteAll()
  await fillTask(addDialog(page), typed)
  await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
  await expect(card(page, title)).toBeVisible()

  await editButton(page, title).click()
  await expect(editDialog(page).getByLabel('Title', { exact: true })).toHaveValue(title)
  await expect(editDialog(page).getByLabel('Body', { exact: true })).toHaveValue(all)
  await force(page, 'PUT /list/updateTask/:id', refusedWith(title, 'body'))
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await page.locator('body').innerText()).split(title).length)
    .toBeGreaterThan(2)
  await expect.poll(() => page.evaluate(() => window.toasts.at(-1)?.text)).toContain(title)
  await page.unrouteAll()
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(editDialog(page)).toBeHidden()
  await card(page, title).getByRole('button', { name: 'Show more' }).click()
  await expect(card(page, title).getByText('__proto__')).toBeVisible()
})

test('They are text in the list, the editor and all views of notes', async ({ page, notes }) => {
  const links = payloads.map((payload) => `[link](${payload}) ![image](${payload}) <${payload}>`).join('\n\n')
  for (const payload of payloads) await notes.add(`${payload}\nsnippet ${payload}`)
  const { _id: id } = await notes.add(`# ${payloads[0]}\n\n${payloads.join('\n\n')}\n\n${links}`)
  await page.goto(notePath(id))
  await expect(notesList(page).getByRole('listitem')).toHaveCount(payloads.length + 1)
  await expect(editor(page)).toContainText('harm("closed attribute")')
  await tool(page, 'Reading view').click()
  await expect(notePane(page).locator('.reading')).toContainText('harm("closed attribute")')
  // The editor has empty images of its own beside the widgets that it shows in place of marks.
  const foreign = page
    .locator('main')
    .locator('script, img:not(.cm-widgetBuffer), iframe, form, style, link, base, math, details')
  await expect(foreign).toHaveCount(0)
  for (const href of await notePane(page)
    .locator('.reading a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href'))))
    expect(href).toMatch(/^(https:\/\/evil\.example\/|\/dashboard\?search=)/)
  await tool(page, 'History').click()
  await page.locator('.history-version').first().click()
  await expect(page.locator('.line-differences')).toContainText('harm("closed attribute")')
})

test('A note of extreme length or nesting is opened, typed in and read', async ({ page, notes }) => {
  for (const [name, text] of Object.entries({
    'quotes nested 50,000 times': '> '.repeat(50_000),
    '10,000 links': '[a](x) '.repeat(10_000),
    'one line of 100,000 characters': 'a'.repeat(100_000),
    '100,000 opening brackets': '['.repeat(100_000),
    'emphasis without an end': `${'*a_ '.repeat(1200)}\n\n`.repeat(20),
  }))
    await test.step(name, async () => {
      const { _id: id } = await notes.add(text)
      await page.goto(notePath(id))
      await editor(page).click()
      await page.keyboard.press('ControlOrMeta+Home')
      await page.keyboard.press('Delete')
      await page.keyboard.type('b')
      await expect.poll(async () => (await notes.get(id)).text).toBe(`b${text.slice(1)}`)
      await tool(page, 'Reading view').click()
      await expect(notePane(page).locator('.reading')).toContainText('b')
    })
})

visitorTest('They are text in names, emails, passwords and errors about these', async ({ page }) => {
  const [name = ''] = payloads
  const email = `a'{{harm}}/*\`=harm&amp*/${crypto.randomUUID()}@example.org`
  const fill = async (person: Record<string, string>) => {
    for (const [label, text] of Object.entries(person)) {
      await page.getByLabel(new RegExp(`^${label}$`, 'i')).fill(text)
    }
  }
  await page.goto('/signup')
  await force(page, 'POST /user/register', refusedWith(all, 'email'))
  await fill({ name, email, password: all.slice(0, 200) })
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByText('harm("closed attribute")').first()).toBeVisible()
  await page.unrouteAll()
  await force(page, 'GET /user/validate', 'dropped')
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await force(page, 'POST /user/login', { status: 401, json: { detail: all } })
  await fill({ email, password: all.slice(0, 200) })
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('harm("closed attribute")').first()).toBeVisible()
})

visitorTest('They do nothing in an address or in the stored token', async ({ page }) => {
  for (const payload of payloads.slice(0, 8)) {
    const text = encodeURIComponent(payload)
    await page.goto(`/${text}?${text}=${text}#${text}`)
  }
  for (const path of ['/assets/', '/%00', '/a//b', '/.env', '/..%2f..%2fpackage.json']) {
    expect((await page.goto(path))?.status()).toBe(404)
  }
  for (const path of ['/', '/login', '/signup', '/dashboard']) {
    await page.goto(`${path}?next=javascript:harm(1)&${encodeURIComponent(all)}#<img src=x onerror=harm(2)>`)
  }
  await expect(page).toHaveURL(/\/login/)
  await page.evaluate((key) => localStorage.setItem(key, '<script>harm(3)</script>'), tokenKey)
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login')
})
