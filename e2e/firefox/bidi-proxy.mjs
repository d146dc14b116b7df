#!/usr/bin/env node
// The program that Playwright starts instead of Firefox: it starts FIREFOX_PATH and passes the WebDriver BiDi messages of both on, except
// the commands that a released Firefox does not know and Playwright sends for every page. `fill()` sets the value of a field by a script
// of Playwright, and React ignores a value that is set on the element itself, so the script gets the setter of the prototype.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'

const unknownCommands = ['emulation.setMediaFeaturesOverride']
const [setOnElement, setByPrototype] = [
  'inputElement.value = value;',
  'Reflect.set(Object.getPrototypeOf(inputElement), `value`, value, inputElement);',
]

const firefox = spawn(process.env.FIREFOX_PATH, process.argv.slice(2), {
  stdio: ['ignore', 'ignore', 'pipe'],
})
firefox.on('exit', (code) => process.exit(code ?? 1))
process.on('SIGTERM', () => firefox.kill())
createInterface({ input: firefox.stderr }).on('line', (line) => {
  const address = /BiDi listening on (ws:\S+)/.exec(line)
  if (address) listen(`${address[1]}/session`)
  else console.error(line)
})

function listen(address) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (client) => connect(client, new WebSocket(address)))
  server.on('listening', () =>
    console.error(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}`),
  )
}

function connect(client, browser) {
  const early = []
  browser.on('open', () => {
    for (const text of early.splice(0)) browser.send(text)
  })
  client.on('message', (data) => {
    const text = String(data).replace(setOnElement, setByPrototype)
    const { id, method } = JSON.parse(text)
    if (unknownCommands.includes(method)) client.send(JSON.stringify({ type: 'success', id, result: {} }))
    else if (browser.readyState === WebSocket.OPEN) browser.send(text)
    else early.push(text)
  })
  browser.on('message', (data) => client.send(String(data)))
  client.on('close', () => browser.close())
  browser.on('close', () => client.close())
}
