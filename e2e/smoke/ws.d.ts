/** What the tests use of `ws`, which has no types of its own. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events'
  import type { AddressInfo } from 'node:net'

  export class WebSocketServer extends EventEmitter<{ listening: []; connection: [WebSocket] }> {
    constructor(options: { host: string; port: number })
    address(): AddressInfo
    close(): void
    readonly clients: Set<WebSocket>
  }
  export class WebSocket extends EventEmitter<{ message: [data: unknown] }> {
    send(text: string): void
    terminate(): void
  }
}
