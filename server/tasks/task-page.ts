import { pageBytes } from '#contract/limits.ts'

/** Bodies up to this size in bytes are read with their page: 200 of them with their titles are about one page. */
export const shortBody = 4096

/** The most bytes of a UTF-16 unit in UTF-8. */
const longestUnit = 3

/** The number of leading sizes that fit into a page. At least one, so that paging always ends. */
export function countFitting(sizes: number[]): number {
  let total = 0
  let count = 0
  for (const size of sizes) {
    total += size
    if (total > pageBytes) break
    count++
  }
  return Math.max(1, count)
}

/** The leading texts that fit into a page with a comma between them, at least one. */
export function endPage(texts: string[]): string[] {
  const units = texts.reduce((sum, text) => sum + text.length + 1, 0)
  // True for nearly every page, whose texts are then not measured.
  if (units * longestUnit <= pageBytes) return texts
  return texts.slice(0, countFitting(texts.map((text) => Buffer.byteLength(text) + 1)))
}
