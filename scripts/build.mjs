import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinnedNode, root } from './install.mjs'

const sources = ['web', 'contract', 'tsconfig.json', 'vite.config.ts', 'package.json', 'package-lock.json']
const built = join(root, 'dist/web')
const stamp = join(root, 'dist/web.built-from')

/** Builds the page if its sources have changed since the last build. Returns whether a current build exists. */
export function buildIfStale() {
  const current = hashOf(sources)
  if (existsSync(built) && existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return true
  console.log('Building the page …')
  rmSync(stamp, { force: true })
  const { status, stdout, stderr } = spawnSync(pinnedNode, ['web/build.ts'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) {
    console.error(`${stdout}${stderr}`)
    return false
  }
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stamp, current)
  return true
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesIn)) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesIn(path) {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`))
}
