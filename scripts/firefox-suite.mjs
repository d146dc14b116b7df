import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { buildIfStale } from './build.mjs'
import { root } from './install.mjs'
import { findFirefox, installDebian } from './programs.mjs'
import { play } from './smoke.mjs'

// Runs the browser tests in Firefox and reports the differences from `expected-failures.json`. That file has the reasons for
// failures. Each reason has the errors that it causes, and the tests that it causes to fail with errors of their own. Then it plays the
// long form of the smoke test, in which Firefox gets reminders by push.

const firefox = findFirefox() || (installDebian('Firefox', ['firefox-esr']) && findFirefox())
if (!firefox) {
  console.log('The browser tests were not run in Firefox, which is not installed and could not be.')
  process.exit()
}
if (!buildIfStale()) process.exit(1)

const folder = join(root, 'e2e/firefox')
const report = join(root, 'test-results/firefox.json')
const reasons = JSON.parse(readFileSync(join(folder, 'expected-failures.json'), 'utf8'))
const isExpected = ({ name, error }) =>
  reasons.some(
    ({ errors = [], tests = [] }) =>
      tests.includes(name) || errors.some((pattern) => new RegExp(pattern).test(error)),
  )

rmSync(report, { force: true })
spawnSync(
  join(root, 'node_modules/.bin/playwright'),
  ['test', '--config', folder, '--reporter=json', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, FIREFOX_PATH: firefox, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  },
)
const tests = JSON.parse(readFileSync(report, 'utf8')).suites.flatMap((suite) => testsIn(suite))
const failed = tests.filter(({ ok }) => !ok)
const unexpected = failed.filter((test) => !isExpected(test))
for (const { name, error } of unexpected) console.error(`Failed: ${name}\n${error}\n`)
const named = new Set(reasons.flatMap((reason) => reason.tests ?? []))
for (const { name, ok } of tests) if (ok && named.has(name)) console.log(`Passed, but listed: ${name}`)
const [passed, expected] = [tests.length - failed.length, failed.length - unexpected.length]
console.log(`Firefox: ${passed} passed, ${expected} failed as expected, ${unexpected.length} failed.`)
const arePlayed = await play('Firefox with a push service', 'firefox', firefox, 'long')
process.exitCode = tests.length > 0 && unexpected.length === 0 && arePlayed ? 0 : 1

function testsIn({ suites = [], specs = [], title, file }, names = []) {
  const path = title === file ? [file] : [...names, title]
  return [
    ...specs.map(({ title, ok, tests }) => ({
      ...{ name: [...path, title].join(' › '), ok },
      error: stripVTControlCharacters(
        tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))[0]?.message ?? '',
      ),
    })),
    ...suites.flatMap((suite) => testsIn(suite, path)),
  ]
}
