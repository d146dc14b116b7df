import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const guide = readFileSync(join(root, 'docs/operating.md'), 'utf8')

/** The commands of a chapter of the guide: its first block. */
const commandsOf = (chapter: string) =>
  guide.slice(guide.indexOf(`\n${chapter}\n`)).match(/```sh\n([^`]*)```/)?.[1] ?? ''

/**
 * What the commands call, for a folder in place of `/opt`: `git` copies the sources, `npm` links the packages and makes a page
 * whose script has another name in each build, as real builds have after a change.
 */
const programs = {
  git: `mkdir -p "$3/dist" && cp -r ${root}/server ${root}/contract ${root}/deploy ${root}/package.json "$3"`,
  npm: `case "$1" in
ci) ln -s ${root}/node_modules node_modules ;;
run) mkdir -p dist/web/assets
  for page in index about login signup dashboard 404; do echo "/assets/build-of-$(basename "$(pwd -P)").js" > dist/web/$page.html; done
  echo "built" > "dist/web/assets/build-of-$(basename "$(pwd -P)").js" ;;
esac`,
  date: 'echo "$DATE"',
}

/** Those that the test does itself or that need root. */
const left = [
  ...['useradd', 'cp deploy', 'install', 'systemctl', 'systemd-run', '--property', '/opt/daymark/node'],
]

async function follow(chapter: string, opt: string, variables: Record<string, string> = {}) {
  const lines = commandsOf(chapter)
    .split('\n')
    .filter((line) => !left.some((name) => line.trim().startsWith(name)))
  const script = lines.join('\n').replaceAll('/opt', opt).replaceAll('<this repository>', root)
  const env = { ...process.env, ...variables, PATH: `${join(opt, 'bin')}:${process.env.PATH}` }
  const shell = spawn('sh', ['-e', '-c', script], { env, cwd: opt, stdio: ['ignore', 'ignore', 'inherit'] })
  expect((await once(shell, 'exit'))[0]).toBe(0)
}

/** Starts the server as the systemd unit does. */
async function start(opt: string) {
  const [, program = ''] =
    /^ExecStart=\S+ (\S+)$/m.exec(readFileSync(join(root, 'deploy/daymark.service'), 'utf8')) ?? []
  const server = spawn(process.execPath, [program.replace('/opt', opt)], {
    cwd: opt,
    env: { ...process.env, PORT: '0' },
  })
  const [line] = await once(server.stdout, 'data')
  const origin = /http:\S+/.exec(String(line))?.[0].replace('localhost', '127.0.0.1') ?? ''
  const stop = async () => {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  return { stop, get: async (path: string) => await fetch(origin + path) }
}

test('The steps of the guide upgrade a server that answers every page meanwhile, and keep the files of the previous build until the next upgrade', async () => {
  const opt = mkdtempSync(join(inject('folder'), 'opt-'))
  mkdirSync(join(opt, 'bin'))
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(opt, 'bin', name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(opt, 'bin', name), 0o755)
  }
  await follow('### As a systemd service', opt)
  let server = await start(opt)
  const scripts: string[] = []
  for (const DATE of ['second', 'third']) {
    const script = (await (await server.get('/dashboard')).text()).trim()
    scripts.push(script)
    let isFollowed = false
    const following = follow('## Upgrade', opt, { DATE }).then(() => {
      isFollowed = true
    })
    const seen = new Set<unknown>()
    while (!isFollowed) {
      for (const path of ['/', '/login', '/dashboard', script, '/readyz']) {
        const answer = await server.get(path)
        seen.add(answer.status)
        if (path === '/dashboard') expect((await answer.text()).trim()).toBe(script)
      }
    }
    await following
    expect([...seen]).toEqual([200])
    await server.stop()
    server = await start(opt)
    expect((await server.get(script)).status).toBe(200)
  }
  expect(new Set(scripts).size).toBe(2)
  expect((await server.get(scripts[0] as string)).status).toBe(404)
  await server.stop()
  const kept = readdirSync(opt).filter((name) => name.startsWith('daymark-'))
  expect(kept.sort()).toEqual(['daymark-first', 'daymark-second', 'daymark-third'])
})
