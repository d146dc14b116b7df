import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buildIfStale } from './build.mjs'
import { findOrInstallChromium } from './chromium.mjs'
import { install, root } from './install.mjs'
import { playSmokeTest } from './smoke.mjs'

// Every stage runs even if an earlier one fails, so that one run reports all failures.

const reports = join(root, 'test-results')
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')
const total = { passed: 0, failed: 0 }
/** How long each stage took, in milliseconds; several run at once. */
const stages = new Map()
process.on('exit', printTotal)

await timed('Installation', install)
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports)

// The tests in Chromium run beside the other stages, so that no core waits for a timer or a process. Their output is stored
// until the others have ended.
const checked = checkAndTestServer(process.stdout)
const isBuilt = await timed('Build', buildIfStale)
const chromiumOutput = new PassThrough({ highWaterMark: 2 ** 30 })
const chromiumTested = testInChromium(chromiumOutput)
await checked
await testInOtherBrowsers(process.stdout)
chromiumOutput.pipe(process.stdout, { end: false })
await chromiumTested

async function checkAndTestServer(output) {
  await check(output, 'Types', 'npm', ['run', '--silent', 'check:types'])
  await check(output, 'Lint', 'npm', ['run', '--silent', 'check:lint'])
  await suite(output, 'Server and units', {
    command: 'vitest',
    args: ['run', '--allowOnly=false', '--reporter=dot', '--reporter=json', '--outputFile', vitestReport],
    // Vitest prints colours to a log file too if the variable CI is set.
    env: process.stdout.isTTY ? {} : { NO_COLOR: '1' },
    report: vitestReport,
    count: ({ numPassedTests, numTotalTests }) => [numPassedTests, numTotalTests - numPassedTests],
  })
}

async function testInChromium(output) {
  const chromium = await findOrInstallChromium()
  if (!chromium)
    return fail(
      output,
      'Browser: Chromium is not installed and could not be installed; install it or set CHROMIUM_PATH.',
    )
  if (!isBuilt) return fail(output, 'Browser: not run, the page could not be built.')
  await suite(output, 'Browser', {
    command: 'playwright',
    args: ['test', '--forbid-only', '--reporter=dot,json'],
    env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
    report: playwrightReport,
    count: ({ stats }) => [stats.expected, stats.unexpected + stats.flaky + stats.skipped],
  })
}

async function testInOtherBrowsers(output) {
  output.write('\nFirefox and WebKit\n')
  if (!isBuilt) return fail(output, 'Firefox and WebKit: not run, the page could not be built.')
  const { passed, failed } = await timed('Firefox and WebKit', playSmokeTest)
  total.passed += passed
  total.failed += failed
}

/** Runs at every exit, including a failed installation and an exception. */
function printTotal(code) {
  if (code !== 0 && total.failed === 0) total.failed = 1
  console.log()
  for (const [name, took] of [...stages, ['In all', performance.now()]])
    console.log(`${name}: ${(took / 60_000).toFixed(1)} minutes`)
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed === 0 ? 0 : 1
}

async function check(output, name, command, args) {
  output.write(`\n${name}\n`)
  if (await timed(name, () => run(output, command, args))) total.passed++
  else fail(output, `${name}: failed, see above.`)
}

async function timed(name, work) {
  const began = performance.now()
  const result = await work()
  stages.set(name, performance.now() - began)
  return result
}

/** A skipped test counts as failed, and so does a run that fails without a failing test. */
async function suite(output, name, { command, args, env, report, count }) {
  output.write(`\n${name}\n`)
  const succeeded = await timed(name, () => run(output, command, args, env))
  const [passed, failed] = existsSync(report) ? count(JSON.parse(readFileSync(report, 'utf8'))) : [0, 0]
  total.passed += passed
  total.failed += failed
  if (failed === 0 && (!succeeded || passed === 0))
    fail(output, `${name}: failed outside any test, see above.`)
}

function fail(output, line) {
  output.write(`${line}\n`)
  total.failed++
}

async function run(output, command, args, extra) {
  const PATH = join(root, 'node_modules/.bin') + delimiter + process.env.PATH
  // The output of the tools is a pipe, also where this one's is a terminal.
  const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const env = { ...process.env, PATH, ...colours, ...extra }
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env })
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  // It rejects if the program cannot be started.
  const [code] = await once(child, 'close').catch(() => [1])
  return code === 0
}
