import { parsed } from './client.ts'

/** The value that a storage has as JSON under this key. Undefined if it has none, or a text that is no JSON. */
export const storedValue = <Value>(storage: Storage, key: string): Value | undefined =>
  (parsed(storage.getItem(key) ?? 'null') as Value | null) ?? undefined

/** Keeps a value as JSON under this key, or removes the key if there is none. Returns false if the storage has no space. */
export function keepValue(storage: Storage, key: string, value: unknown): boolean {
  try {
    if (value === undefined) storage.removeItem(key)
    else storage.setItem(key, JSON.stringify(value))
    return true
  } catch (error) {
    console.warn(error)
    return false
  }
}
