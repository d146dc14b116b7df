import type { Client, Session } from '../api/client.ts'
import type { Signs } from './sync/signs.ts'

type Channel = {
  postMessage(message: object): void
  close(): void
  onmessage: ((event: MessageEvent) => void) | null
}

/** What an engine gets from where it runs: a page, or Node. */
export type Needs = Client &
  Session &
  Signs & {
    account: string | undefined
    /** The storage that all tabs share, and that of this tab. */
    local: Storage
    tab: Storage
    /** Tells what other tabs have stored in `local`. Without a value, it was removed. */
    onStored(
      listener: (change: { key: string | null; newValue: string | null }) => void,
      signal: AbortSignal,
    ): void
    /** Without HTTPS there are none. */
    locks: LockManager | undefined
    /** To the other tabs. */
    openChannel(name: string): Channel
    now(): number
    /** Where the replica is kept; undefined if the page cannot be opened without a network either. */
    device:
      | {
          database: string
          begin(follow: (isEmpty: boolean) => Promise<void>, signal: AbortSignal): Promise<void>
        }
      | undefined
  }
