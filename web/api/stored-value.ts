/** The value that a storage has as JSON under this key. Undefined if it has none, or a text that is no JSON. */
export function storedValue<Value>(storage: Storage, key: string): Value | undefined {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
