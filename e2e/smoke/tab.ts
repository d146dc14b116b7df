import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** An action of the W3C protocols: WebDriver and WebDriver BiDi have the same. */
export type Action = Record<string, unknown>

/** A window of a browser, in the protocol that the browser speaks. */
export type Connection = {
  navigate(url: string): Promise<void>
  /** Calls a function in the page, given as source, and returns its result. */
  run(source: string, args: unknown[]): Promise<unknown>
  act(type: 'key' | 'pointer', actions: Action[]): Promise<void>
  /** Closes the alert that is open and returns its text; undefined if there is none yet. */
  acceptAlert(): Promise<string | undefined>
  /** Returns a PNG, in base64. */
  screenshot(): Promise<string>
}

/** A browser that was started. `watch`: the source of a function that every page must call first. */
export type Browser = { open(): Promise<Connection>; close(): Promise<void> }
export type Start = (program: string, watch: string) => Promise<Browser>

export const keys = { Enter: '\uE007', Escape: '\uE00C', Control: '\uE009' }

/** Far longer than anything takes on a busy machine. */
const longestWait = 30_000

/** A window as its user has it: elements are found by their visible text, and used by pointer and keys. */
export function tab(connection: Connection, address: string) {
  const run = <Result>(page: (...args: never[]) => Result, ...args: unknown[]) =>
    connection.run(`(...args) => { const found = ${found}; return (${page})(...args) }`, args) as Promise<
      Awaited<Result>
    >

  async function eventually<Result>(what: string, attempt: () => Promise<Result>) {
    for (const end = Date.now() + longestWait; ; await setTimeout(50)) {
      const result = await attempt()
      if (result) return result
      if (Date.now() < end) continue
      const picture = join(tmpdir(), `daymark-smoke-${process.pid}.png`)
      await writeFile(picture, Buffer.from(await connection.screenshot(), 'base64'))
      const seen = await run(() => document.body.innerText)
      throw new Error(
        `${what}: not within ${longestWait / 1000} s; a screenshot is in ${picture}. The page says:\n${seen}`,
      )
    }
  }

  const type = (text: string) =>
    connection.act(
      'key',
      [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    )

  const own = {
    run,
    eventually,
    go: (path: string) => connection.navigate(address + path),
    type,
    control: (value: string) =>
      connection.act('key', [
        { type: 'keyDown', value: keys.Control },
        { type: 'keyDown', value },
        { type: 'keyUp', value },
        { type: 'keyUp', value: keys.Control },
      ]),
    /** Presses the middle of an element once nothing covers it and it rests. */
    async click(selector: string, name = '') {
      let last = ''
      const { x, y } = await eventually(`click ${selector} ${name}`, async () => {
        const middle = await run(middleOf, selector, name)
        const before = last
        last = JSON.stringify(middle)
        return last === before ? middle : undefined
      })
      await connection.act('pointer', [
        { type: 'pointerMove', x, y },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ])
    },
    /** For a list of options, which a press would open as a window of the system. */
    focus: (selector: string, name: string) =>
      eventually(`focus ${selector} ${name}`, () => run(focused, selector, name)),
    /** Replaces the text of a field by typing. */
    async fill(selector: string, name: string, text: string) {
      await own.click(selector, name)
      await own.control('a')
      await type(text)
    },
    see: (selector: string, name = '') =>
      eventually(`see ${selector} ${name}`, () => run(isShown, selector, name)),
    miss: (selector: string, name = '') =>
      eventually(`miss ${selector} ${name}`, async () => !(await run(isShown, selector, name))),
    seeFocus: (selector: string) => eventually(`focus in ${selector}`, () => run(hasFocus, selector)),
    seePath: (path: string) =>
      eventually(`be at ${path}`, async () => (await run(() => location.pathname)) === path),
    seeAlert: () => eventually('alert', () => connection.acceptAlert()),
    /** The errors of the console and the violations of the policy since the last call. */
    takeFaults: () => run(faults),
  }
  return own
}

export type Tab = ReturnType<typeof tab>

/** Runs in the page: records errors, across the pages of this tab. */
export function watch() {
  const page = window as { isWatched?: boolean }
  if (page.isWatched) return
  page.isWatched = true
  const add = (fault: string) => {
    const known = JSON.parse(sessionStorage.getItem('faults') ?? '[]')
    sessionStorage.setItem('faults', JSON.stringify([...known, fault]))
  }
  const { error } = console
  console.error = (...parts: unknown[]) => {
    add(`console: ${parts.map(String).join(' ')}`)
    error(...parts)
  }
  addEventListener('error', ({ message }) => add(`error: ${message}`))
  addEventListener('unhandledrejection', ({ reason }) => add(`rejection: ${reason}`))
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    add(`policy: ${effectiveDirective} ${blockedURI}`),
  )
}

function faults(): string[] {
  const known = JSON.parse(sessionStorage.getItem('faults') ?? '[]')
  sessionStorage.removeItem('faults')
  return known
}

/** Runs in the page, like the next functions. Returns the elements whose label, or else text, begins with the name. */
const found = (selector: string, name: string) =>
  [...document.querySelectorAll<HTMLInputElement>(selector)].filter((element) => {
    const label =
      element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent
    return element.checkVisibility() && label.trim().startsWith(name)
  })

const isShown = (selector: string, name: string) => found(selector, name).length > 0

const hasFocus = (selector: string) => Boolean(document.activeElement?.closest(selector))

function focused(selector: string, name: string): boolean {
  const [element] = found(selector, name)
  element?.focus()
  return element !== undefined && document.activeElement === element
}

function middleOf(selector: string, name: string): { x: number; y: number } | undefined {
  for (const element of found(selector, name)) {
    element.scrollIntoView({ block: 'nearest' })
    const { left, top, width, height } = element.getBoundingClientRect()
    const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)]
    const hit = document.elementFromPoint(x, y)
    if (hit && (element.contains(hit) || hit.contains(element))) return { x, y }
  }
  return undefined
}
