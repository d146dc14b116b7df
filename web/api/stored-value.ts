/** The value that a storage has as JSON under this key. Undefined if it has none, or a text that is no JSON. */
export function storedValue<Value>(storage: Storage, key: string): Value | undefined {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

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
