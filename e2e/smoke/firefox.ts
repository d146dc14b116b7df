import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, Connection } from './tab.ts'

// biome-ignore lint/suspicious/noExplicitAny: the answers of the protocol
type Answer = Record<string, any>

type Preferences = Record<string, string | number | boolean>

export type Firefox = Browser & {
  /** Calls a function, given as source, where the browser itself runs, and returns its result. */
  runInBrowser: Connection['run']
}

/** Starts Firefox, which speaks WebDriver BiDi itself. */
export async function startFirefox(
  program: string,
  watch: string,
  chosen: Preferences = {},
): Promise<Firefox> {
  const folder = await mkdtemp(join(tmpdir(), 'daymark-firefox-'))
  const preferences = {
    ...{ 'browser.shell.checkDefaultBrowser': false, 'app.update.disabledForTesting': true },
    ...chosen,
  }
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`,
  )
  await writeFile(join(folder, 'user.js'), lines.join(''))
  const args = [
    ...['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port=0'],
    ...['--remote-allow-system-access', 'about:blank'],
  ]
  const browser = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(browser, 'exit')
  const printed = Promise.withResolvers<string>()
  exited.then(() => printed.reject(new Error('Firefox stopped before it listened.')))
  createInterface({ input: browser.stderr }).on('line', (line) => {
    const address = /BiDi listening on (ws:\S+)/.exec(line)
    if (address?.[1]) printed.resolve(`${address[1]}/session`)
  })

  const socket = new WebSocket(await printed.promise)
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  const alerts = new Map<string, string>()
  socket.addEventListener('message', ({ data }) => {
    const { id, type, error, message, method, params, result } = JSON.parse(data)
    if (method === 'browsingContext.userPromptOpened') alerts.set(params.context, params.message)
    if (type === 'error') waiting.get(id)?.reject(new Error(`${error}: ${message}`))
    else waiting.get(id)?.resolve(result)
  })
  let last = 0
  function send(method: string, params: object) {
    const answer = Promise.withResolvers<Answer>()
    waiting.set(++last, answer)
    socket.send(JSON.stringify({ id: last, method, params }))
    return answer.promise
  }

  await send('session.new', {
    capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'ignore' } } },
  })
  await send('session.subscribe', { events: ['browsingContext.userPromptOpened'] })
  await send('script.addPreloadScript', { functionDeclaration: watch })

  async function run(context: string, source: string, args: unknown[]) {
    const { result, exceptionDetails } = await send('script.evaluate', {
      expression: `(async () => JSON.stringify(await (${source})(...${JSON.stringify(args)})))()`,
      target: { context },
      awaitPromise: true,
    })
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
    return result.value === undefined ? undefined : JSON.parse(result.value)
  }

  return {
    async runInBrowser(source, args) {
      const { contexts } = await send('browsingContext.getTree', { maxDepth: 0, 'moz:scope': 'chrome' })
      return await run(contexts[0].context, source, args)
    },
    async open() {
      const { context } = await send('browsingContext.create', { type: 'window' })
      const connection: Connection = {
        async navigate(url) {
          await send('browsingContext.navigate', { context, url, wait: 'complete' })
        },
        run: (source, args) => run(context, source, args),
        async act(type, actions) {
          await send('input.performActions', { context, actions: [{ type, id: type, actions }] })
        },
        async acceptAlert() {
          const text = alerts.get(context)
          if (text !== undefined) await send('browsingContext.handleUserPrompt', { context, accept: true })
          alerts.delete(context)
          return text
        },
        screenshot: async () => (await send('browsingContext.captureScreenshot', { context })).data,
      }
      return connection
    },
    async close() {
      socket.close()
      browser.kill()
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
