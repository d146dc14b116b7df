import { apiBase } from '#contract/limits.ts'
import { openDashboard, quickLine } from './dashboard-page.ts'
import { expect, expectToasts, signedInTest as test, test as visitorTest } from './fixtures.ts'
import { storedToken, storeToken } from './local-storage.ts'
import { firefoxOnAndroid, logIn, logInElsewhere, validityOf } from './sign-in.ts'

const firstLinkIn = (text: string) => /http\S+/.exec(text)?.[0] ?? ''

visitorTest('By a link a password is chosen, once, by keyboard', async ({ page, server, user }) => {
  const link = firstLinkIn(await server.users('reset-password', user.email))
  const validity = () => validityOf(server.address, user.token)
  const requested: string[] = []
  page.on('request', (each) => requested.push(each.url()))
  await page.goto(link)
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0)
  await page.getByRole('button', { name: 'Choose a password' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await page.keyboard.type('password1')
  expect(await validity()).toBe(200)
  await page.keyboard.press('Enter')
  await expect(page.getByText('it is one of the 3,000 most common passwords')).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill('chosen by the keyboard')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your password is changed' })).toBeVisible()
  await expect(page).toHaveURL('/reset-password')
  expect(await validity()).toBe(403)
  const token = link.split('#')[1] ?? ''
  expect(requested.filter((url) => url.includes(token) && !url.startsWith(link))).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/login')
  await logIn(page, { ...user, password: 'chosen by the keyboard' })
  await expect(page).toHaveURL('/dashboard')

  await page.goto('about:blank')
  await page.goto(link)
  await page.getByRole('button', { name: 'Choose a password' }).click()
  await page.getByLabel('New password', { exact: true }).fill('chosen a second time')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('This link was used before')
})

visitorTest('A disabled account is told so after the right password only', async ({ page, server, user }) => {
  await server.users('disable', user.email)
  await page.goto('/login')
  await logIn(page, { ...user, password: 'not the password' })
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Email or password is wrong.')
  await page.goto('/login')
  await logIn(page, user)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('This account is disabled.')
  await expectToasts(page, ['error: Login failed. Please check your credentials.'])
  expect(await storedToken(page)).toBeNull()
})

test('Account lists sessions, and ends one or all others', async ({ page, server, user, request }) => {
  const statusOf = (token: string) => validityOf(server.address, token)
  const onPhone = await logInElsewhere(server.address, user, firefoxOnAndroid)
  const [curl, wget] = [
    await logInElsewhere(server.address, user),
    await logInElsewhere(server.address, user),
  ]
  await openDashboard(page)
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  const sessions = page.getByRole('region', { name: 'Where you are logged in' })
  await expect(sessions).toContainText(user.email)
  await expect(sessions.getByRole('listitem')).toHaveCount(4)
  await expect(sessions.getByRole('listitem').filter({ hasText: 'This browser' })).toHaveCount(1)
  await sessions.getByRole('button', { name: /^Log out Firefox on Android/ }).press('Enter')
  await expect(sessions.getByRole('status')).toHaveText('Firefox on Android is logged out.')
  await expect(sessions.getByRole('listitem')).toHaveCount(3)
  await expect(sessions.getByRole('heading')).toBeFocused()
  expect([await statusOf(onPhone), await statusOf(curl)]).toEqual([403, 200])
  await sessions.getByRole('button', { name: 'Log out all others' }).click()
  await expect(sessions.getByRole('status')).toHaveText('All other sessions are logged out.')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  expect([await statusOf(curl), await statusOf(wget), await statusOf(user.token)]).toEqual([403, 403, 200])

  await test.step('A token for another program is shown once, and is revoked there', async () => {
    const tokens = page.getByRole('region', { name: 'Tokens for other programs' })
    await tokens.getByRole('textbox', { name: 'Name' }).fill('Laptop script')
    await tokens.getByLabel('What it does').selectOption('Reads')
    await tokens.getByRole('button', { name: 'Make a token' }).click()
    const token = await tokens.getByLabel('Token', { exact: true }).inputValue()
    expect(await statusOf(token)).toBe(200)
    await expect(tokens.getByRole('listitem')).toContainText('Laptop script')
    await tokens.getByRole('button', { name: /^Revoke Laptop script/ }).press('Enter')
    await expect(tokens.getByRole('heading')).toBeFocused()
    await expect(tokens.getByText('Laptop script is revoked.')).toBeVisible()
    await expect(tokens.getByRole('listitem')).toHaveCount(0)
    await expect(tokens.getByLabel('Token', { exact: true })).toHaveCount(0)
    expect(await statusOf(token)).toBe(403)
  })

  await test.step('A calendar is an address, which a program reads without a header', async () => {
    const tokens = page.getByRole('region', { name: 'Tokens for other programs' })
    await user.add({ title: 'Pay rent' })
    await tokens.getByRole('textbox', { name: 'Name' }).fill('Phone')
    await tokens.getByLabel('What it does').selectOption('Calendar of tasks')
    await tokens.getByRole('button', { name: 'Make a token' }).click()
    await tokens.getByRole('checkbox').check()
    const address = await tokens.getByLabel('Address of the calendar').inputValue()
    expect(address).toMatch(/\.ics\?done=true$/)
    await expect(tokens.getByRole('img', { name: 'The address as a QR code' })).toBeVisible()
    expect(await (await request.get(address)).text()).toContain('SUMMARY:Pay rent')
  })

  await test.step('A bookmark puts the title and the address of a page into the quick line', async () => {
    const bookmark = await page.getByLabel('Address of the bookmark').inputValue()
    await page.evaluate('window.open = (address) => { window.opened = address }; undefined')
    await page.evaluate(bookmark.replace('javascript:', ''))
    const [title, address] = [await page.title(), page.url()]
    await page.goto(await page.evaluate<string>('window.opened'))
    await expect(quickLine(page)).toHaveValue(`${title} ${address}`)
  })
})

visitorTest('A login or a signup ends the session before it', async ({ page, server, user, stranger }) => {
  await page.route(`**${apiBase}/user/validate`, (route) => route.abort())
  for (const [way, { token, ...held }] of [
    ['login', user],
    ['signup', stranger],
  ] as const)
    await test.step(way, async () => {
      await page.goto(`/${way}`)
      await storeToken(page, token)
      await page.reload()
      if (way === 'signup') await page.getByLabel('Name', { exact: true }).fill('Ada')
      const email = way === 'login' ? held.email : `${crypto.randomUUID()}@example.org`
      await logIn(page, { ...held, email })
      await expect.poll(() => storedToken(page)).not.toBe(token)
      await expect.poll(() => validityOf(server.address, token)).toBe(403)
      expect(await validityOf(server.address, await storedToken(page))).toBe(200)
    })
})
