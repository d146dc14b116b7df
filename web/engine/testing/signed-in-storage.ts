import { vi } from 'vitest'

/** Stubs local storage, in which a session is kept. As in a browser, its methods are not among its keys. */
export function stubSignedInStorage() {
  const kept: Record<string, string> = { token: 'a'.repeat(64) }
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void Object.assign(kept, { [key]: value }),
    removeItem: (key: string) => delete kept[key],
  }
  const hidden = Object.entries(methods).map(([name, value]) => [name, { value }])
  vi.stubGlobal('localStorage', Object.defineProperties(kept, Object.fromEntries(hidden)))
}
