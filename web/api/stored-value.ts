/** The stored JSON value; undefined if there is none, or the text is no JSON. */
export function storedValue<Value>(storage: Storage, key: string): Value | undefined {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
