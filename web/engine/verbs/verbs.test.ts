import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { describe, expect, test } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import * as commandKeys from '../../views/command-keys.ts'
import { views } from '../../views/views.ts'
import { taskWith } from '../store/testing/task-with.ts'
import { labelFor, type Offered, offered } from './verb.ts'
import { verbs } from './verbs.ts'

const all = Object.values(verbs)

describe.each(all)('$name', ({ said: { done, doneTo, undone, failed } }) => {
  test('names what was done, of one and of several, and the day, priority or tag that they got', () => {
    expect(done).toMatch(
      /^[A-Z][a-z]+( repeating)? {items}( (to|by adding|by removing|by renaming a tag to) {to}| to an earlier version)?$/,
    )
    if (doneTo) expect(doneTo).toMatch(new RegExp(`^${done} (for|to) {to}$`))
  })

  test('says what is true again after it was undone, of one and of several', () => {
    expect(undone[0]).toMatch(/^{items} (is|has|was|no longer has) [a-z ]+$/)
    expect(undone[1]).toMatch(/^{items} (are|have|were|no longer have) [a-z ]+$/)
  })

  test('says what was not stored in a sentence of its own, after which the reason follows', () => {
    expect(failed).toMatch(/^This (task|note|line|text) was not [a-z]+\.$/)
  })
})

test('A title is named in a label as it is', () => {
  expect(labelFor(offered.complete, '$& {items}')).toBe('Complete $& {items}')
  expect(labelFor(offered.prioritise, '3 tasks')).toBe('Priority of 3 tasks')
})

test.each([
  ['open', {}],
  ['done', { doneAt: '2026-11-20T12:00:00.000Z' }],
  ['repeated', { repeat: 'FREQ=DAILY' }],
])(
  'Each key does one thing to a task that is %s, and no other command has it',
  (_state, fields: Partial<Task>) => {
    const task = taskWith({ _id: 'a', title: 'Sow', ...fields })
    const keys = [
      ...all.filter(({ key, isPossible }) => key && isPossible(task)).map(({ key }) => key),
      ...Object.values(views).map(({ key }) => key),
      ...Object.values(commandKeys),
    ]
    expect(keys.length).toBeGreaterThan(15)
    expect(keys).toEqual([...new Set(keys)])
  },
)

const root = join(import.meta.dirname, '../../..')
type Program = ReturnType<typeof parseSync>['program']
/** Of a style sheet, its texts. */
function parse(file: string): Program {
  const text = readFileSync(join(root, file), 'utf8')
  if (!file.endsWith('.css')) return parseSync(file, text).program
  return parseSync('texts.ts', `[${text.match(/"[^"\\]*"/g) ?? ''}]`).program
}

test('Verbs need no component', () => {
  const reached = new Set(globSync('web/engine/verbs/*', { cwd: root, exclude: ['**/*.test.ts'] }))
  for (const file of reached) {
    expect(file).toMatch(/\.ts$/)
    new Visitor({
      ImportDeclaration({ importKind, source }) {
        if (importKind === 'type') return
        expect(source.value).toMatch(/^[#.]/)
        const name = source.value.replace(/^#/, '')
        reached.add(name === source.value ? join(dirname(file), name) : name)
      },
    }).visit(parse(file))
  }
  expect(reached.size).toBeGreaterThan(12)
})

/** Ctrl+P, and buttons of texts that are no item yet. */
const others = [
  'web/tasks/list/use-task-list.ts',
  'web/tasks/form/draft-offer.tsx',
  'web/tasks/form/unsent-lines.tsx',
]
/** Alone they name what is chosen too. */
const nouns = ['Priority', 'Tag']

test('A key and a label of a verb are written nowhere else', () => {
  const files = globSync(
    'web/{dashboard,deleted,notes,reminders,search,tasks,unsent,views}/**/*.{css,ts,tsx}',
    {
      cwd: root,
      // HTML has elements of one letter.
      exclude: ['**/*.test.ts', 'web/notes/pasting/**', ...others],
    },
  )
  expect(files.length).toBeGreaterThan(200)
  expect(files.flatMap((file) => writtenIn(parse(file)).map((text) => `${file}: ${text}`))).toEqual([])
  const written = `key === 'x' || <i hint='m' /> || [['t', 1]] || { key: 'p', Delete: 1 } || \`Move \${title}\` || 'Edit'`
  const found = writtenIn(parseSync('written.tsx', written).program)
  expect(found.sort()).toEqual(['Delete', 'Edit', 'Move', 'm', 'p', 't', 'x'])
})

/** The keys and labels of verbs that are written in a program. */
function writtenIn(program: Program): string[] {
  const offers: Offered[] = Object.values(offered)
  const [keys, labels] = [offers.map(({ key }) => key), offers.map(({ label }) => label)]
  const found: string[] = []
  const lookForKey = (value: unknown) =>
    typeof value === 'string' && keys.includes(value) && found.push(value)
  const lookForLabel = (text: string) => {
    const said = text.replace(/[“”\s]+/g, ' ').trim()
    if (labels.includes(said)) found.push(said)
  }
  const textOf = (node: unknown) => (node as { value?: unknown } | null)?.value
  const lookAlone = (text: unknown) => typeof text === 'string' && !nouns.includes(text) && lookForLabel(text)
  new Visitor({
    BinaryExpression: ({ left, right }) => [left, right].map(textOf).forEach(lookForKey),
    JSXAttribute: ({ value }) => lookForKey(textOf(value)),
    ArrayExpression: ({ elements }) => elements.map(textOf).forEach(lookForKey),
    ObjectExpression({ properties }) {
      const named = properties.flatMap((each) =>
        each.type === 'Property' && each.key.type === 'Identifier'
          ? [[each.key.name, textOf(each.value)]]
          : [],
      )
      for (const [name] of named) if (name !== 'x') lookForKey(name)
      // With a label, it is a choice of its own in a dialog.
      const { key, label } = Object.fromEntries(named)
      if (label === undefined) lookForKey(key)
    },
    Literal: ({ value }) => lookAlone(value),
    JSXText: ({ value }) => lookAlone(value.trim()),
    TemplateLiteral: ({ quasis }) => lookForLabel(quasis.map(({ value }) => value.cooked).join(' ')),
  }).visit(program)
  return found
}
