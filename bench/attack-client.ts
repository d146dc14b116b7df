import { Agent, request } from 'node:http'
import { connect } from 'node:net'

export type Answer = { status: number; text: string }

/** What is sent on a held connection: first, then as fast as the server reads it, and once a second. */
type Held = { first?: string; again?: string; eachSecond?: string; readsAnswers?: boolean }

/** A client of one account at one address. It counts the statuses of its answers; 0 is a connection that ended without one. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #base: string
  readonly #address: string
  readonly #token: string
  readonly statuses: Record<string, number> = {}

  constructor(base: string, address: string, token: string) {
    this.#base = base
    this.#address = address
    this.#token = token
  }

  /** The same client without a token. Its statuses are counted together. */
  withoutAccount(): Client {
    return Object.assign(new Client(this.#base, this.#address, ''), { statuses: this.statuses })
  }

  /** Opens a connection and keeps it until the server closes it, or until `ends`. */
  hold(
    ends: number,
    { first = '', again = '', eachSecond = '', readsAnswers = true }: Held,
  ): Promise<Answer> {
    const { hostname, port } = new URL(this.#base)
    const socket = connect({ host: hostname, port: Number(port), localAddress: this.#address })
    const sendAgain = () => {
      while (again && !socket.destroyed && Date.now() < ends && socket.write(again));
    }
    const end = setTimeout(() => socket.destroy(), ends - Date.now())
    const drip = eachSecond ? setInterval(() => socket.write(eachSecond), 1000) : undefined
    socket.on('drain', sendAgain).on('error', () => {})
    if (readsAnswers) socket.resume()
    socket.write(first)
    sendAgain()
    return new Promise((resolve) => {
      socket.once('close', () => {
        clearTimeout(end)
        clearInterval(drip)
        resolve(this.#counted({ status: 0, text: '' }))
      })
    })
  }

  /** Sends a request and reads its answer. With `key`, the request has this `Idempotency-Key`. */
  async send(endpoint: string, body?: string, key?: string): Promise<Answer> {
    const [method, path] = endpoint.split(' ') as [string, string]
    const headers = {
      ...(this.#token && { authorization: `Bearer ${this.#token}` }),
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
      ...(key && { 'idempotency-key': key }),
    }
    const options = { method, headers, agent: this.#agent, localAddress: this.#address }
    const answer = await new Promise<Answer>((resolve) => {
      const fail = () => resolve({ status: 0, text: '' })
      const call = request(this.#base + path, options, (response) => {
        const chunks: Buffer[] = []
        const whole = () => ({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
        })
        response
          .on('data', (chunk) => chunks.push(chunk))
          .on('end', () => resolve(whole()))
          .on('error', fail)
      })
      call.on('error', fail).end(body)
    })
    return this.#counted(answer)
  }

  #counted(answer: Answer): Answer {
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1
    return answer
  }
}
