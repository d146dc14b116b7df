import { parsed } from './client.ts'

/** The value that a storage has as JSON under this key. Undefined if it has none, or a text that is no JSON. */
export const storedValue = <Value>(storage: Storage, key: string): Value | undefined =>
  (parsed(storage.getItem(key) ?? 'null') as Value | null) ?? undefined
