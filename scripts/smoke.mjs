import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { pinnedNode, root } from './install.mjs'
import { findFirefox, installDebian, onPath } from './programs.mjs'

const engines = [
  {
    ...{ name: 'Firefox', engine: 'firefox', packages: ['firefox-esr'] },
    find: findFirefox,
  },
  {
    ...{ name: 'WebKit', engine: 'webkit', packages: ['webkit2gtk-driver', 'xvfb'] },
    find: () => onPath(['Xvfb']).some(existsSync) && onPath(['WebKitWebDriver']).find(existsSync),
  },
]

/** In milliseconds. Only bounds a browser that does not start or hangs: the test takes half a minute. */
const timeLimit = 300_000

/** Plays the smoke test in both engines at the same time. One that cannot be installed here is named and not counted. */
export async function playSmokeTest() {
  const runs = engines.map(({ name, engine, packages, find }) => {
    const program = find() || (installDebian(name, packages) && find())
    if (!program)
      console.log(`${name}: not run, because it is not installed and could not be (${packages.join(', ')}).`)
    return program ? play(name, engine, program) : undefined
  })
  const ended = (await Promise.all(runs)).filter((passed) => passed !== undefined)
  const passed = ended.filter(Boolean).length
  return { passed, failed: ended.length - passed }
}

/** Plays the smoke test in one engine, in the long form if `form` says so. Returns whether it passed. */
export async function play(name, engine, program, ...form) {
  const run = spawn(pinnedNode, ['e2e/smoke/smoke.ts', engine, program, ...form], {
    cwd: root,
    detached: true,
  })
  const timer = setTimeout(() => endGroup(run), timeLimit)
  const ended = new Promise((resolve) => run.on('exit', resolve))
  // Processes that a failed test has not ended would keep its output open.
  ended.then(() => endGroup(run))
  const [output, errors, code] = await Promise.all([text(run.stdout), text(run.stderr), ended])
  clearTimeout(timer)
  console.log(`${name}: ${code === 0 ? 'passed' : 'failed'}\n${output}${errors}`.trimEnd())
  return code === 0
}

/** Ends a process that was started as `detached`, and all that it has started. */
function endGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of them have ended.
  }
}
