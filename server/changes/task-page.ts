import { pageBytes } from '#contract/limits.ts'
import type { Task } from '#contract/tasks.ts'

/** Bodies up to this size in bytes are read with their page: 200 of them with their titles are about one page. */
export const shortBody = 4096

/** An upper bound in bytes for a task as JSON without its title and body. */
const frame = 256

/** The most bytes of a UTF-16 unit in JSON: a control character has six (`\u0001`). */
const longestUnit = 6

/** The most bytes of a UTF-16 unit in UTF-8. */
const longestInUtf8 = 3

/** The number of leading sizes that fit into a page, or into `max` bytes. At least one, so that paging always ends. */
export function countFitting(sizes: number[], max = pageBytes): number {
  let total = 0
  let count = 0
  for (const size of sizes) {
    total += size
    if (total > max) break
    count++
  }
  return Math.max(1, count)
}

/** The leading tasks that fit into a page as JSON, at least one. */
export function endPage(tasks: Task[]): Task[] {
  const longest = tasks.reduce(
    (sum, { title, body }) => sum + frame + longestUnit * (title.length + body.length),
    0,
  )
  // True for nearly every page, which is then not serialized only to be measured.
  if (longest <= pageBytes) return tasks
  return tasks.slice(0, countTexts(tasks.map((task) => JSON.stringify(task))))
}

/** The number of leading JSON texts that fit into a page, at least one. */
export function countTexts(texts: string[]): number {
  const units = texts.reduce((sum, text) => sum + text.length + 1, 0)
  if (units * longestInUtf8 <= pageBytes) return texts.length
  return countFitting(texts.map((text) => Buffer.byteLength(text) + 1))
}
