import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'

type Package = { version: string; integrity?: string; os?: string; cpu?: string; hasInstallScript?: boolean }

const root = join(import.meta.dirname, '..')
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const { '': _root, ...locked }: Record<string, Package> = read('package-lock.json').packages

test('every package is locked to the hash of its content', () => {
  const withoutHash = Object.entries(locked).filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
  expect(withoutHash).toEqual([])
})

test('the runtime is one of these packages, in one version for all platforms, and installed without a script', () => {
  const names = Object.keys(read('package.json').optionalDependencies)
  const runtimes = names.map((name) => locked[`node_modules/${name}`] as Package)
  expect(new Set(runtimes.map(({ os, cpu }) => `${os} ${cpu}`))).toEqual(
    new Set(['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64']),
  )
  expect(new Set(runtimes.map(({ version }) => `v${version}`))).toEqual(new Set([process.version]))
  expect(runtimes.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([])
})

/** A folder with the script of the installation, this lock file, and an npm. */
function newInstall(packages: Record<string, object>, npm: string) {
  const folder = mkdtempSync(join(inject('folder'), 'install-'))
  cpSync(join(root, 'scripts/install.mjs'), join(folder, 'scripts/install.mjs'))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }))
  executable(join(folder, 'npm'), npm)
  return folder
}

// npm reports success when it drops an optional package, also one whose hash is wrong.
test.each(['linux', 'darwin', 'other'])(
  'an install from which npm dropped a package for %s fails exactly where that package is needed',
  (os) => {
    const dropped = { version: '1.0.0', optional: true, os: [os], cpu: [process.arch] }
    // This npm installs the packages that are not optional, and the runtime's link.
    const folder = newInstall(
      { 'node_modules/runtime': dropped, 'node_modules/any': { version: '1.0.0' } },
      `echo '{"packages":{"node_modules/any":{"version":"1.0.0"}}}' > node_modules/.package-lock.json
       ln -sf '${process.execPath}' node_modules/.bin/node`,
    )
    const { status, stderr } = runInstall(folder)
    const refusal = /^npm left out node_modules\/runtime: .*not what package-lock.json has the hash of/
    expect([status, stderr]).toEqual(os === process.platform ? [1, expect.stringMatching(refusal)] : [0, ''])
  },
)

const runInstall = (folder: string) =>
  spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', 'import("./scripts/install.mjs").then(({ install }) => install())'],
    { cwd: folder, encoding: 'utf8', env: { PATH: `${folder}:${process.env.PATH}` } },
  )

function executable(path: string, script: string) {
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

test('the runtime is linked where npm installed it without its link', () => {
  const { platform: os, arch: cpu } = process
  const runtime = { version: '1.0.0', optional: true, os, cpu, bin: { node: 'bin/node' } }
  const folder = newInstall({ 'node_modules/runtime': runtime }, 'exit 0')
  cpSync(join(folder, 'package-lock.json'), join(folder, 'node_modules/.package-lock.json'))
  mkdirSync(join(folder, 'node_modules/runtime/bin'), { recursive: true })
  const installed = join(folder, 'node_modules/runtime/bin/node')
  executable(installed, 'echo v26')
  const { status, stderr } = runInstall(folder)
  expect([status, stderr]).toEqual([0, ''])
  expect(readlinkSync(join(folder, 'node_modules/.bin/node'))).toBe(installed)
})
