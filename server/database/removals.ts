/** The maximum number of rows that one transaction removes. Other writes wait for one such transaction. */
export const rowsPerRemoval = 500

/** The maximum size of the texts that one transaction removes, unless a single row is larger. It takes about 10 ms. */
export const bytesPerRemoval = 2 * 1_048_576

/** Returns the number of leading rows that one transaction removes, given the sizes of their texts. */
export function countRemoved(found: { bytes: number | null }[]): number {
  let bytes = 0
  for (const [index, row] of found.entries()) {
    bytes += row.bytes ?? 0
    if (bytes > bytesPerRemoval) return Math.max(1, index)
  }
  return found.length
}
