import type { Client, Session } from '../api/client.ts'
import type { Signs } from './sync/signs.ts'

type Channel = {
  postMessage(message: object): void
  close(): void
  onmessage: ((event: MessageEvent) => void) | null
}

export type Needs = Client &
  Session &
  Signs & {
    account: string | undefined
    /** `local` is shared by all tabs, `tab` belongs to this one. */
    local: Storage
    tab: Storage
    /** Reports changes of `local` by other tabs. A removed value is null. */
    onStored(
      listener: (change: { key: string | null; newValue: string | null }) => void,
      signal: AbortSignal,
    ): void
    /** Undefined without HTTPS. */
    locks: LockManager | undefined
    openChannel(name: string): Channel
    now(): number
    /** The database of the replica; undefined if the page cannot be opened without a network either. */
    device:
      | {
          database: string
          begin(follow: (isEmpty: boolean) => Promise<void>, signal: AbortSignal): Promise<void>
        }
      | undefined
  }
