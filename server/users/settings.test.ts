import { expect, test } from 'vitest'
import { defaultSettings } from '#contract/settings.ts'
import { onEveryServer, serverForAll } from '../testing/test-server.ts'

onEveryServer('settings', ({ server: one, user }) => {
  const two = serverForAll(one)

  test('a change is answered with all settings, and a later login on another server gets them', async () => {
    const { status, json } = await user.setSettings({ theme: 'dark' })
    expect([status, json]).toEqual([200, { settings: { ...defaultSettings, theme: 'dark' } }])
    const { token } = (await two.call('POST /user/login', { body: user })).json
    expect((await two.call('GET /settings', { token })).json).toEqual(json)
  })

  test('devices that change different settings at once through two servers lose none', async () => {
    const changes = [{ theme: 'light' }, { firstDay: 'sunday' }, { keys: false }, { sidebarCollapsed: true }]
    const answers = await Promise.all(
      changes.map((settings, index) =>
        [one, two][index % 2]?.call('PATCH /settings', { token: user.token, body: { settings } }),
      ),
    )
    expect(answers.map((answer) => answer?.status)).toEqual([200, 200, 200, 200])
    const all = Object.assign({}, defaultSettings, ...changes)
    expect((await user.call('GET /settings')).json.settings).toEqual(all)
  })

  test.each([
    [{ theme: 'sepia' }, 'settings/theme', 'not-an-option'],
    [{ keys: 'no' }, 'settings/keys', 'wrong-type'],
    [{ wallpaper: 'x' }, 'settings/wallpaper', 'unknown'],
    ['dark', 'settings', 'wrong-type'],
    [undefined, 'settings', 'required'],
  ])('%j is rejected with the name of its field, and changes nothing', async (settings, field, code) => {
    const { status, json } = await user.call('PATCH /settings', { body: { settings } })
    expect(status).toBe(400)
    expect(json.errors?.map(({ field, code }) => [field, code])).toEqual([[field, code]])
    expect((await user.call('GET /settings')).json.settings).toEqual(defaultSettings)
  })

  test('a body larger than any settings is rejected', async () => {
    const body = { settings: {}, more: 'x'.repeat(20_000) }
    expect((await user.call('PATCH /settings', { body })).status).toBe(413)
  })

  test('another user’s settings are not touched, and closing the account removes them', async () => {
    const [ada, eve] = [await one.newUser(), await one.newUser()]
    await ada.setSettings({ theme: 'dark' })
    await eve.setSettings({ theme: 'light' })
    expect((await ada.call('GET /settings')).json.settings.theme).toBe('dark')
    await ada.call('POST /user/deleteAccount', { body: { password: ada.password } })
    expect((await ada.call('GET /settings')).status).toBe(401)
    const users = one.database.read.selectFrom('users').select('settings')
    for (const row of await users.where('closed_at', 'is not', null).execute())
      expect(row.settings).toBe('{}')
    expect((await eve.call('GET /settings')).json.settings.theme).toBe('light')
  })
})
