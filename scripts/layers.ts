import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'vite'

/**
 * What each folder may import, types included: itself, the names in its row, and the names in their rows. `server` and `web` are
 * the files directly in these folders, `web/tasks/.` those directly in `web/tasks`; a new folder needs a row.
 */
const layers: Record<string, string[]> = {
  contract: ['packages/typebox/schema'],

  'server/nearest-name.ts': [],
  'server/background.ts': ['packages'],
  'server/environment.ts': ['node', 'server/nearest-name.ts'],
  'server/measured.ts': ['node'],
  'server/new-id.ts': ['contract', 'node'],
  'server/errors.ts': ['contract'],
  'server/config.ts': ['server/environment.ts'],
  'server/command.ts': ['server/config.ts'],
  'server/turns': ['node'],
  'server/database': [
    'packages',
    'server/command.ts',
    'server/config.ts',
    'server/errors.ts',
    'server/measured.ts',
    'server/new-id.ts',
    'server/turns',
  ],
  'server/backups': ['server/database', 'server/background.ts'],
  'server/copying': ['server/database'],
  'server/context.ts': ['server/database'],
  'server/http': ['server/database'],
  'server/limits': ['server/http'],
  'server/sessions': ['server/limits', 'server/context.ts'],
  'server/users': ['server/sessions'],
  'server/changes': ['server/sessions', 'server/background.ts'],
  'server/tasks': ['server/changes'],
  'server/notes': ['server/changes'],
  'server/reminders': ['server/tasks', 'server/users'],
  'server/users/users-actions.ts': ['server/reminders'],
  'server/users/users-command.ts': ['server/users/users-actions.ts'],
  'server/search': ['server/tasks', 'server/notes'],
  'server/exporting': ['server/tasks', 'server/notes', 'server/users'],
  'server/importing': ['server/tasks', 'server/notes'],
  'server/feed': ['server/tasks', 'server/users'],
  'server/hostile': ['server'],
  'server/testing': ['server'],
  server: ['contract', 'node', 'packages'],

  'web/api': ['contract'],
  'web/engine/sync': ['web/api'],
  'web/engine/store': ['web/engine/sync', 'web/engine/entry.ts', 'web/engine/needs.ts', 'packages'],
  'web/engine/verbs': ['web/engine/store'],
  'web/engine/kept': ['web/engine/verbs'],
  'web/engine/journal': ['web/engine/kept', 'web/engine/undo-history.ts'],
  'web/engine/notes': ['web/engine/journal', 'web/engine/parts.ts', 'web/engine/item-links.ts'],
  'web/engine': ['web/engine/notes'],
  'web/engine/testing': ['web/engine', 'server', 'node'],
  'web/ui': ['web/api', 'packages'],
  'web/views': ['contract', 'web/ui'],
  // The names and the types of what the parts have. Who loads a part may not import what the part imports.
  'web/parts/parts.ts': [
    'web/ui',
    'web/parts/editor.ts',
    'web/parts/importing.ts',
    'web/parts/notes.ts',
    'web/parts/rest.ts',
  ],
  'web/state': ['web/views', 'web/engine', 'web/parts/parts.ts'],
  'web/settings': ['web/api', 'web/ui'],
  'web/account': ['web/settings', 'web/state'],
  'web/tasks/testing': ['contract', 'node'],
  'web/tasks/.': ['web/state', 'web/settings'],
  'web/tasks/words': ['web/tasks/.'],
  'web/tasks/repeat': ['web/tasks/.'],
  'web/tasks/reminders': ['web/tasks/.'],
  'web/tasks/card': ['web/tasks/repeat', 'web/tasks/reminders'],
  'web/tasks/form': ['web/tasks/card', 'web/tasks/words'],
  'web/tasks/quick-add': ['web/tasks/form'],
  'web/tasks/planning': ['web/tasks/form'],
  'web/tasks/selection': ['web/tasks/planning'],
  'web/tasks/list': ['web/tasks/planning', 'web/tasks/quick-add'],
  'web/tasks': ['web/tasks/list', 'web/tasks/selection'],
  'web/notes/markdown': ['web/tasks'],
  'web/notes/pasting': ['web/notes/markdown', 'packages'],
  'web/notes/editor': ['web/notes/pasting'],
  'web/notes': ['web/notes/editor'],
  'web/importing/parsing': ['contract', 'web/engine/imported.ts', 'web/notes/pasting'],
  'web/importing/readers': ['web/importing/parsing'],
  'web/importing/testing': ['web/importing/readers', 'node'],
  'web/importing': ['web/importing/readers', 'web/notes/markdown', 'web/settings'],
  'web/reminders': ['web/tasks'],
  'web/deleted': ['web/notes'],
  'web/search': ['web/notes'],
  'web/unsent': ['web/notes'],
  'web/dashboard/dashboard.tsx': ['web/dashboard', 'web/parts/imports.ts'],
  'web/dashboard': [
    'web/account',
    'web/deleted',
    'web/importing',
    'web/reminders',
    'web/search',
    'web/unsent',
  ],
  'web/public': ['web/tasks/list'],
  'web/parts': ['web/dashboard', 'web/public'],
  'web/hostile': ['web', 'server', 'node'],
  'web/worker': ['contract', 'packages'],
  web: ['contract', 'packages', 'node'],

  'tests of server': ['server'],
  'tests of web': ['web', 'server', 'node'],
  bench: ['e2e', 'web'],
  e2e: ['server', 'playwright.config.ts'],
  scripts: ['e2e'],
}

const root = join(import.meta.dirname, '..')
const files = globSync('{bench,contract,e2e,scripts,server,web}/**/*.{ts,tsx,mjs}', { cwd: root })
const violations = files.flatMap((file) => {
  const layer = layerOf(file)
  const allowed = [...allowedIn(layer)]
  return importsOf(file)
    .filter((imported) => !allowed.some((name) => isIn(name, imported)))
    .map(
      (imported) =>
        `${file} imports ${imported}; ${layer} may import ${layers[layer]?.join(', ') ?? 'nothing without a row'}`,
    )
})
for (const violation of violations) console.error(violation)
if (violations.length > 0) process.exit(1)
console.log(`Checked the imports of ${files.length} files against the layers.`)

function layerOf(file: string) {
  const [part = '', folder, ...rest] = file.split('/')
  if (layers[file]) return file
  if (part !== 'server' && part !== 'web') return part
  if (file.endsWith('.test.ts')) return `tests of ${part}`
  if (rest.length === 0) return part
  const nested = rest.length > 1 ? `${part}/${folder}/${rest[0]}` : `${part}/${folder}/.`
  return layers[nested] ? nested : `${part}/${folder}`
}

function isIn(layer: string, file: string): boolean {
  return layer.endsWith('/.') ? dirname(file) === layer.slice(0, -2) : `${file}/`.startsWith(`${layer}/`)
}

function allowedIn(layer: string, found = new Set<string>()) {
  if (found.has(layer)) return found
  found.add(layer)
  for (const name of layers[layer] ?? []) allowedIn(name, found)
  return found
}

/** Paths from the root of the project, `packages/…` and `node/…`. */
function importsOf(file: string) {
  const found: string[] = []
  const add = ({ source }: { source: unknown }) => {
    const name = (source as { value?: unknown } | null)?.value
    if (typeof name === 'string') found.push(pathOf(name, file))
  }
  const visitor = new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  })
  visitor.visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program)
  return found
}

function pathOf(name: string, file: string) {
  if (name.startsWith('.')) return join(dirname(file), name)
  if (name.startsWith('#')) return name.slice(1)
  return name.startsWith('node:') ? name.replace(':', '/') : `packages/${name}`
}
