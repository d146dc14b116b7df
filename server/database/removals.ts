/** The maximum number of rows that one transaction removes. Other writes wait for one such transaction. */
export const rowsPerRemoval = 500

/** The maximum size of the texts that one transaction removes, unless a single row is larger. It takes about 10 ms. */
export const bytesPerRemoval = 2 * 1_048_576

/** How much of the work that is due one search finds. A search concerns all shards of a distributed database. */
export const dueAtOnce = 1000

/** A random tenth of what was found: in the same order, servers that sweep at once would wait for the same locks. */
function someOf<Work>(found: Work[]): Work[] {
  const shuffled = found
    .map((work) => ({ work, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
  return shuffled.slice(0, Math.ceil(found.length / 10)).map(({ work }) => work)
}

/** Works on a part of what each search finds, until a search finds nothing or `stop` is aborted. */
export async function whileFound<Found>(
  find: () => Promise<Found[]>,
  work: (found: Found) => Promise<unknown>,
  stop: AbortSignal,
) {
  while (!stop.aborted) {
    const some = someOf(await find())
    if (some.length === 0) return
    for (const each of some) if (!stop.aborted) await work(each)
  }
}

/** Returns the number of leading rows that one transaction removes, given the sizes of their texts. */
export function countRemoved(found: { bytes: number | null }[]): number {
  let bytes = 0
  for (const [index, row] of found.entries()) {
    bytes += row.bytes ?? 0
    if (bytes > bytesPerRemoval) return Math.max(1, index)
  }
  return found.length
}
