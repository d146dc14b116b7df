import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { buildIfStale } from './build.mjs'
import { findOrInstallChromium } from './chromium.mjs'
import { install, root } from './install.mjs'

// Every stage runs even if an earlier one fails, so that one run reports all failures.

const reports = join(root, 'test-results')
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')
const total = { passed: 0, failed: 0 }
process.on('exit', printTotal)

install()
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports)

check('Types', 'npm', ['run', '--silent', 'check:types'])
check('Lint', 'npm', ['run', '--silent', 'check:lint'])
suite('Server and units', {
  command: 'vitest',
  args: ['run', '--allowOnly=false', '--reporter=dot', '--reporter=json', '--outputFile', vitestReport],
  // Vitest prints colours to a log file too if the variable CI is set.
  env: process.stdout.isTTY ? {} : { NO_COLOR: '1' },
  report: vitestReport,
  count: ({ numPassedTests, numTotalTests }) => [numPassedTests, numTotalTests - numPassedTests],
})
const chromium = await findOrInstallChromium()
if (!chromium)
  fail('Browser: Chromium is not installed and could not be installed; install it or set CHROMIUM_PATH.')
else if (!buildIfStale()) fail('Browser: not run, the page could not be built.')
else {
  suite('Browser', {
    command: 'playwright',
    args: ['test', '--forbid-only', '--reporter=dot,json'],
    env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
    report: playwrightReport,
    count: ({ stats }) => [stats.expected + stats.flaky, stats.unexpected + stats.skipped],
  })
}

/** Runs at every exit, including a failed installation and an exception. */
function printTotal(code) {
  if (code !== 0 && total.failed === 0) total.failed = 1
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed === 0 ? 0 : 1
}

function check(name, command, args) {
  console.log(`\n${name}`)
  if (run(command, args)) total.passed++
  else fail(`${name}: failed, see above.`)
}

/** A skipped test counts as failed, and so does a run that fails without a failing test. */
function suite(name, { command, args, env, report, count }) {
  console.log(`\n${name}`)
  const succeeded = run(command, args, env)
  const [passed, failed] = existsSync(report) ? count(JSON.parse(readFileSync(report, 'utf8'))) : [0, 0]
  total.passed += passed
  total.failed += failed
  if (failed === 0 && (!succeeded || passed === 0)) fail(`${name}: failed outside any test, see above.`)
}

function fail(line) {
  console.error(line)
  total.failed++
}

function run(command, args, extra) {
  const PATH = join(root, 'node_modules/.bin') + delimiter + process.env.PATH
  const env = { ...process.env, PATH, ...extra }
  return spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0
}
