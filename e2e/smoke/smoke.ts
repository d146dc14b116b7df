import { type Server, startServer } from '../server.ts'
import { startFirefox } from './firefox.ts'
import { pushEnvironment, startFirefoxPush } from './firefox-push.ts'
import { playPush } from './push.ts'
import { playSteps } from './steps.ts'
import { tab, watch } from './tab.ts'
import { startWebKit } from './webkit.ts'

// node e2e/smoke/smoke.ts firefox|webkit PROGRAM [long]: plays the steps in another browser than the browser tests use, and the reminders
// of Firefox, which is the only one that gets them without an account of its vendor.

const [engine, program, form] = process.argv.slice(2) as ['firefox' | 'webkit', string, 'long'?]
const closing: (() => Promise<void>)[] = []
const opened = <Each extends { close: () => Promise<void> }>(each: Each) => {
  closing.unshift(each.close)
  return each
}
try {
  let server = await startServer(undefined, undefined, pushEnvironment)
  closing.unshift(() => server.stop())
  if (engine === 'webkit') {
    const webkit = opened(await startWebKit(program, String(watch)))
    await playSteps(async () => tab(await webkit.open(), server.address))
  } else {
    const push = opened(await startFirefoxPush())
    const firefox = opened(await startFirefox(program, String(watch), push.preferences))
    const page = await playSteps(async () => tab(await firefox.open(), server.address))
    const restarted = (another: Server) => {
      server = another
    }
    await playPush(page, { firefox, push, server, restarted, isLong: form === 'long' })
  }
} finally {
  for (const close of closing) await close()
}
