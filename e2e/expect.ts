import { expect as playwrightExpect } from '@playwright/test'

/** As often as Playwright's assertions about locators look, which `expect.poll` and `toPass` do not by default. */
export const intervals = [20, 50, 100, 100, 500]

const poll: typeof playwrightExpect.poll = (read, options) =>
  playwrightExpect.poll(read, {
    intervals,
    ...(typeof options === 'string' ? { message: options } : options),
  })

export const expect = new Proxy(playwrightExpect, {
  get: (target, key, receiver) => (key === 'poll' ? poll : Reflect.get(target, key, receiver)),
})
