import { expect, test } from 'vitest'
import { onEveryEngine } from '../testing/engines.ts'
import { runStatement } from '../testing/run-statement.ts'
import { ada, storedDatabase } from '../testing/stored-database.ts'
import { startTestServer } from '../testing/test-server.ts'

onEveryEngine('texts that 0.1.0 has stored', (engine) => {
  test('are searched like those of this version', async () => {
    const url = await storedDatabase(engine, '0.1.0')
    const of = (title: string) => `where title = '${title}'`
    await runStatement(
      url,
      `update tasks set title = 'Don’t co‑op', folded = 'don’t co‐op\n' ${of('Später')}`,
    )
    await runStatement(
      url,
      `update notes set text = '\u200b\nDo\u00adnau – Rhein', title = '\u200b', snippet = 'Do\u00adnau – Rhein',
        folded = '\u200b\n\u200b\ndo\u00adnau – rhein' ${of('Überfällig 😀')}`,
    )
    const server = await startTestServer(url)
    const { token } = (await server.call('POST /user/login', { body: ada })).json
    const find = async (words: string) =>
      (await server.call(`GET /search?q=${encodeURIComponent(words)}`, { token })).json
    for (const words of ["don't", 'don’t', 'co-op'])
      expect((await find(words)).tasks.map(({ title }) => title)).toEqual(['Don’t co‑op'])
    expect((await find('donau - rhein')).notes.map(({ title }) => title)).toEqual(['Do\u00adnau – Rhein'])
    expect((await find('after')).tasks.map(({ title }) => title)).toEqual(['After the edit'])
    await server.close()
  })
})
