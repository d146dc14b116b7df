import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'

const root = join(import.meta.dirname, '..')

type Packed = { unpackedSize: number; files: { path: string }[] }

test('the npm package has the page, no source of a test, at most 5 MB, and a command that starts the server', async () => {
  const [page, target] = [join(inject('folder'), 'page'), join(inject('folder'), 'release')]
  mkdirSync(page)
  writeFileSync(join(page, 'index.html'), '<title>Daymark</title>')
  const script: string = './release.mjs'
  const { makeRelease } = await import(script)
  const { unpackedSize, files }: Packed = makeRelease(root, page, target)
  const paths = files.map(({ path }) => path)
  expect(unpackedSize).toBeLessThan(5_000_000)
  expect(paths).toEqual(expect.arrayContaining(['bin/daymark.mjs', 'dist/web/index.html', 'server/main.js']))
  expect(paths.filter((path) => /\.ts$|\.test\.|\/(testing|hostile)\//.test(path))).toEqual([])

  symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'))
  const env = { ...process.env, PORT: '0', DATABASE_URL: `file:${join(inject('folder'), 'released.sqlite')}` }
  const daymark = spawn(process.execPath, [join(target, 'bin/daymark.mjs')], { env })
  const [line] = await once(daymark.stdout, 'data')
  const origin = /http:\S+/.exec(String(line))?.[0].replace('localhost', '127.0.0.1')
  expect(await (await fetch(`${origin}/`)).text()).toBe('<title>Daymark</title>')
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  const person = { name: 'Ada', email: 'ada@example.org', password: 'a long password of Ada' }
  const [method, headers] = ['POST', { 'content-type': 'application/json' }]
  const signup = { method, headers, body: JSON.stringify(person) }
  expect((await fetch(`${origin}/api/v1/user/register`, signup)).ok).toBe(true)
  daymark.kill('SIGTERM')
  expect((await once(daymark, 'exit'))[0]).toBe(0)
})
