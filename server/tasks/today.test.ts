import { expect, test } from 'vitest'
import { onEveryServer, type TestServer, type TestUser } from '../testing/test-server.ts'

/** The first and the last time zone in which a day begins. They are 26 hours apart, so their dates always differ. */
const zones = { first: 'Pacific/Kiritimati', last: 'Etc/GMT+12' }

const todayIn = (zone: string) => Temporal.Now.plainDateISO(zone)
const serverZone = Temporal.Now.timeZoneId()

/** Repeats `run` if the date changed in one of the zones while it ran, so that the test passes at any time of day. */
async function withinOneDay(run: (user: TestUser) => Promise<void>, server: TestServer) {
  const days = () => [zones.first, zones.last, serverZone].map(todayIn).join()
  const before = days()
  try {
    await run(await server.newUser())
  } catch (failure) {
    if (days() === before) throw failure
  }
  if (days() !== before) await withinOneDay(run, server)
}

onEveryServer('the Today list', ({ server }) => {
  const todayTitles = async (user: TestUser, zone?: string) => {
    const headers: Record<string, string> = zone ? { 'time-zone': zone } : {}
    const { status, json } = await user.call('GET /list/getTodayTasks', { headers })
    expect(status).toBe(200)
    return json.lists.map(({ title }) => title)
  }

  test.each([zones.first, zones.last, undefined])(
    'contains tasks due by today in %s, or in the zone of the server if the caller sends none, and no later ones',
    async (zone) => {
      await withinOneDay(async (user) => {
        const today = todayIn(zone ?? serverZone)
        await user.addTask({ title: 'tomorrow', dueDate: today.add({ days: 1 }).toString() })
        await user.addTask({ title: 'today', dueDate: today.toString() })
        await user.addTask({ title: 'yesterday', dueDate: today.subtract({ days: 1 }).toString() })
        await user.addTask({ title: 'last year', dueDate: today.subtract({ years: 1 }).toString() })
        expect(await todayTitles(user, zone)).toEqual(['last year', 'yesterday', 'today'])
      }, server)
    },
  )

  test('uses the time zone of the caller: a task due today in one zone is not yet due in another', async () => {
    await withinOneDay(async (user) => {
      await user.addTask({ title: 'there', dueDate: todayIn(zones.first).toString() })
      expect(await todayTitles(user, zones.first)).toEqual(['there'])
      expect(await todayTitles(user, zones.last)).toEqual([])
    }, server)
  })

  test('accepts time zone names in any case, and their former names', async () => {
    await withinOneDay(async (user) => {
      await user.addTask({ title: 'old', dueDate: '2020-01-01' })
      for (const zone of ['europe/lisbon', 'UTC', 'Asia/Calcutta']) {
        expect(await todayTitles(user, zone)).toEqual(['old'])
      }
    }, server)
  })

  test('accepts a cursor from before midnight and continues with the tasks of the new day', async () => {
    await withinOneDay(async (user) => {
      const [yesterday, today] = [todayIn(zones.last), todayIn(zones.first)].map(String)
      for (const dueDate of [yesterday, yesterday, today]) {
        await user.addTask({ title: dueDate === today ? 'today' : 'yesterday', dueDate: `${dueDate}` })
      }
      const headers = (zone: string) => ({ headers: { 'time-zone': zone } })
      const first = await user.call('GET /list/getTodayTasks?limit=1', headers(zones.last))
      expect(first.json.lists.map(({ title }) => title)).toEqual(['yesterday'])
      const next = `GET /list/getTodayTasks?cursor=${first.json.nextCursor}`
      const second = await user.call(next, headers(zones.first))
      expect(second.json.lists.map(({ title }) => title)).toEqual(['yesterday', 'today'])
    }, server)
  })
})
