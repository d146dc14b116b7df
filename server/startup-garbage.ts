import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Gives back what was only needed to start: 20 MB of 120, which V8 would keep for as long as the server has little to
 * do. It holds up the process for 40 ms, so it comes a second later, when whoever waited for the start has an answer.
 */
export function freeStartupGarbage() {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    // Put back at once: V8's compile cache, which the next start reads, is valid under the same flags only.
    setFlagsFromString('--no-expose-gc')
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, 1000).unref()
}
