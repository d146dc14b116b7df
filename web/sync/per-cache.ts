/**
 * Returns the function that returns the value of a cache, and creates it at the first call. Each visit to the dashboard has
 * a query cache of its own, so the value lives as long as the visit.
 */
export function perCache<Cache extends object, Value>(
  create: (cache: Cache) => Value,
): (cache: Cache) => Value {
  const values = new WeakMap<Cache, Value>()
  return (cache) => {
    const value = values.get(cache) ?? create(cache)
    values.set(cache, value)
    return value
  }
}
