import { startServer } from '../server.ts'
import { startFirefox } from './firefox.ts'
import { playSteps } from './steps.ts'
import { type Browser, tab, watch } from './tab.ts'
import { startWebKit } from './webkit.ts'

// node e2e/smoke/smoke.ts firefox|webkit PROGRAM: plays the steps in another browser than the browser tests use.

const [engine, program] = process.argv.slice(2) as ['firefox' | 'webkit', string]
const server = await startServer()
let browser: Browser | undefined
try {
  const started = await { firefox: startFirefox, webkit: startWebKit }[engine](program, String(watch))
  browser = started
  await playSteps(async () => tab(await started.open(), server.address))
} finally {
  await browser?.close()
  await server.stop()
}
