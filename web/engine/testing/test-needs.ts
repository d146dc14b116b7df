import { tokenKey } from '#contract/limits.ts'
import { createClient, type Session } from '../../api/client.ts'
import type { Needs } from '../needs.ts'
import { createSigns } from '../sync/signs.ts'

/** An empty storage. As in a browser, its keys are its properties, and its methods are not among them. */
export function memoryStorage(): Storage {
  const kept: Record<string, string> = {}
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void Object.assign(kept, { [key]: value }),
    removeItem: (key: string) => delete kept[key],
    clear: () => Object.keys(kept).forEach(methods.removeItem),
  }
  const hidden = Object.entries(methods).map(([name, value]) => [name, { value, configurable: true }])
  return Object.defineProperties(kept, Object.fromEntries(hidden)) as unknown as Storage
}

type Given = Partial<Needs> & { fetch?: unknown; accountToken?: string }

/** What an engine needs, in Node: a page that is visible and online, in which an account is signed in until its token leaves the storage. */
export function testNeeds({ fetch, accountToken = 'a'.repeat(64), ...given }: Given = {}): Needs {
  const { local = memoryStorage(), isOnline = () => true, isVisible = () => true } = given
  if (local.getItem(tokenKey) === null) local.setItem(tokenKey, accountToken)
  const session: Session = {
    token: () => local.getItem(tokenKey),
    isOver: () => local.getItem(tokenKey) !== accountToken,
    hasEnded: () => false,
    showsLogin: () => false,
    leave: () => new Promise(() => {}),
    endByServer: () => local.removeItem(tokenKey),
  }
  const network = (fetch ?? (() => new Promise(() => {}))) as typeof globalThis.fetch
  const answersBut = { onNewerServer() {}, async untilCut() {} }
  return {
    ...createClient({ fetch: async (...request) => network(...request), session, ...answersBut }),
    ...session,
    ...createSigns({ isOnline, isVisible }),
    account: accountToken.slice(0, 21),
    local,
    tab: memoryStorage(),
    onStored() {},
    locks: undefined,
    openChannel: () => ({ postMessage() {}, close() {}, onmessage: null }),
    now: () => Date.now(),
    device: undefined,
    ...given,
  }
}
