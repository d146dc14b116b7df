import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects the garbage of the start: 20 MB of 120, which V8 would keep on an idle server. The collection blocks the
 * process for 40 ms, so it runs one second later, after the requests that waited for the start.
 */
export function freeStartupGarbage() {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    // The flag is reset at once, because V8 rejects a compile cache that was written under other flags.
    setFlagsFromString('--no-expose-gc')
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, 1000).unref()
}
