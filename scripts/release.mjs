import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

// Node runs TypeScript, but not in node_modules, so the package has the server as JavaScript.

/** The files of the repository that the package contains, besides the server and the page. */
const copied = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
  'docs/api.md',
  'docs/operating.md',
  'docs/decisions',
  'deploy',
]
const commands = ['daymark.mjs', 'run-to-end.mjs']

/** Writes the npm package to `target`, with the page in `page`, and packs it. Returns the report of `npm pack`. */
export function makeRelease(root, page, target) {
  rmSync(target, { recursive: true, force: true })
  for (const path of globSync('{contract,server}/**/*.ts', { cwd: root, exclude: isTest })) {
    const source = readFileSync(join(root, path), 'utf8').replace(/\.ts'/g, ".js'")
    write(join(target, path.replace(/\.ts$/, '.js')), stripTypeScriptTypes(source))
  }
  for (const name of commands) cpSync(join(root, 'scripts', name), join(target, 'bin', name))
  for (const path of copied) cpSync(join(root, path), join(target, path), { recursive: true })
  cpSync(page, join(target, 'dist/web'), { recursive: true })

  const { devDependencies: _, scripts: __, private: ___, ...description } = json(join(root, 'package.json'))
  write(join(target, 'package.json'), { ...description, bin: { daymark: 'bin/daymark.mjs' } })
  const { packages, ...lock } = json(join(root, 'package-lock.json'))
  const { '': own, ...locked } = packages
  const { devDependencies: ____, ...ownPackage } = own
  const needed = Object.fromEntries(
    Object.entries(locked).filter(([, { dev, devOptional }]) => !dev && !devOptional),
  )
  // npm installs exactly these, with their hashes, also where the package is a dependency.
  write(join(target, 'npm-shrinkwrap.json'), { ...lock, packages: { '': ownPackage, ...needed } })
  return JSON.parse(execFileSync('npm', ['pack', '--json'], { cwd: target, encoding: 'utf8' }))[0]
}

const isTest = (path) => /\.test\.ts$|^server\/(testing|hostile)(\/|$)/.test(path)

const json = (file) => JSON.parse(readFileSync(file, 'utf8'))

function write(file, content) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const page = join(root, 'dist/web')
  execFileSync(process.execPath, ['web/build.ts'], { cwd: root, stdio: 'inherit' })
  if (!existsSync(page)) throw new Error('The page was not built.')
  const { filename, size, unpackedSize, entryCount } = makeRelease(root, page, join(root, 'dist/release'))
  const inMegabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`
  console.log(
    `dist/release/${filename}: ${inMegabytes(size)}, ${inMegabytes(unpackedSize)} unpacked, ${entryCount} files`,
  )
}
