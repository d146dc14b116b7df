import { channel } from 'node:diagnostics_channel'
import { onTestFinished } from 'vitest'

/** Calls `hear` with what a channel publishes, until the test ends. */
export function listenTo(name: string | symbol, hear: (message: unknown) => void) {
  channel(name).subscribe(hear)
  onTestFinished(() => void channel(name).unsubscribe(hear))
}

/** Calls `pass` in each turn of the event loop, until the test ends. */
export function inEachTurn(pass: () => void) {
  let next = setImmediate(function turn() {
    pass()
    next = setImmediate(turn)
  })
  onTestFinished(() => clearImmediate(next))
}
