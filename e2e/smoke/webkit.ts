import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../server/testing/free-port.ts'
import type { Connection, Start } from './tab.ts'

// biome-ignore lint/suspicious/noExplicitAny: the answers of the protocol
type Answer = any

/** Starts WebKitGTK by its WebDriver, on an invisible screen. */
export const startWebKit: Start = async (program, watch) => {
  const screen = await startScreen()
  const port = await freePort()
  // Without a language, `C.UTF-8` would be the language of the page.
  const env = { ...process.env, DISPLAY: screen.name, LANG: 'en_GB.UTF-8' }
  const driver = spawn(program, [`--port=${port}`], { env, stdio: 'ignore' })
  const exited = once(driver, 'exit')

  async function send(method: string, path: string, body?: object) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body: body ? JSON.stringify(body) : null,
    })
    const { value } = (await response.json()) as { value: Answer }
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }

  // The driver prints nothing when it listens.
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await send('GET', '/status').catch(() => undefined)) break
    await setTimeout(50)
  }
  const wanted = { alwaysMatch: { unhandledPromptBehavior: 'ignore' } }
  const { sessionId } = await send('POST', '/session', { capabilities: wanted })
  const session = `/session/${sessionId}`
  let current: unknown

  return {
    async open() {
      const { handle } = await send('POST', `${session}/window/new`, { type: 'window' })
      const call = async (method: string, path: string, body?: object) => {
        if (current !== handle) await send('POST', `${session}/window`, { handle })
        current = handle
        return await send(method, session + path, body)
      }
      const connection: Connection = {
        async navigate(url) {
          await call('POST', '/url', { url })
        },
        async run(source, args) {
          const script = `(${watch})(); return (${source})(...arguments)`
          return (await call('POST', '/execute/sync', { script, args })) ?? undefined
        },
        async act(type, actions) {
          await call('POST', '/actions', { actions: [{ type, id: type, actions }] })
        },
        async acceptAlert() {
          const text = await call('GET', '/alert/text').catch(() => undefined)
          if (text !== undefined) await call('POST', '/alert/accept', {})
          return text
        },
        screenshot: () => call('GET', '/screenshot'),
      }
      return connection
    },
    async close() {
      await send('DELETE', session)
      driver.kill()
      await exited
      await screen.close()
    },
  }
}

/** Starts an X server, which chooses the number of its display. */
async function startScreen() {
  const args = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const exited = once(server, 'exit')
  const [number] = await once(server.stdio[3] as NodeJS.ReadableStream, 'data')
  return {
    name: `:${String(number).trim()}`,
    async close() {
      server.kill()
      await exited
    },
  }
}
