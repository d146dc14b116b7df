import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { buildIfStale } from './build.mjs'
import { findOrInstallChromium } from './chromium.mjs'
import { install, root } from './install.mjs'

// Every stage runs, whatever the one before it found, so that one run tells all there is to tell.

const reports = join(root, 'test-results')
const total = { passed: 0, failed: 0 }
process.on('exit', sumUp)

install()
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports)

check('Types', 'npm', ['run', '--silent', 'check:types'])
check('Lint', 'npm', ['run', '--silent', 'check:lint'])
suite('Server and units', 'vitest', ['run', '--allowOnly=false'], 'vitest.json', (report) => ({
  passed: report.numPassedTests,
  failed: report.numTotalTests - report.numPassedTests,
}))
const chromium = await findOrInstallChromium()
if (!chromium)
  fail('Browser: no Chromium here and none could be installed; install one or set CHROMIUM_PATH.')
else if (!buildIfStale()) fail('Browser: not run, the page could not be built.')
else {
  process.env.CHROMIUM_PATH = chromium
  suite('Browser', 'playwright', ['test', '--forbid-only'], 'playwright.json', ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped,
  }))
}

/** At every exit, also where installing stopped it or an exception did. */
function sumUp(code) {
  if (code !== 0 && total.failed === 0) total.failed = 1
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed === 0 ? 0 : 1
}

function check(name, command, args) {
  console.log(`\n${name}`)
  if (run(command, args)) total.passed++
  else fail(`${name}: failed, see above.`)
}

/** A skipped test counts as failed, and so does a run that ended badly without a failing test to show for it. */
function suite(name, command, args, reportName, count) {
  console.log(`\n${name}`)
  const succeeded = run(command, args)
  const { passed, failed } = count(readReport(reportName))
  total.passed += passed
  total.failed += failed
  if (failed === 0 && (!succeeded || passed === 0)) fail(`${name}: failed outside of any test, see above.`)
}

function readReport(name) {
  try {
    return JSON.parse(readFileSync(join(reports, name), 'utf8'))
  } catch {
    return {
      numPassedTests: 0,
      numTotalTests: 0,
      stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 },
    }
  }
}

function fail(line) {
  console.error(line)
  total.failed++
}

function run(command, args) {
  const env = { ...process.env, PATH: join(root, 'node_modules/.bin') + delimiter + process.env.PATH }
  return spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0
}
