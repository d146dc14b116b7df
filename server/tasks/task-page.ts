import { pageBytes } from '#contract/limits.ts'
import type { Task } from '#contract/tasks.ts'

/** A body up to this length (bytes) is read with its page: 200 of them with their titles come to about a page's bytes. */
export const shortBody = 4096

/** Bytes of a task as JSON without its title and body, and more than that. */
const frame = 256

/** A control character is six bytes as JSON (`\u0001`), and no other UTF-16 unit is more. */
const longestUnit = 6

/** How many of the first things of these sizes go into a page's bytes, one at least, so that paging always ends. */
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

/** The first tasks, one at least, that are no more than a page's bytes as JSON. */
export function endPage(tasks: Task[]): Task[] {
  const longest = tasks.reduce(
    (sum, { title, body }) => sum + frame + longestUnit * (title.length + body.length),
    0,
  )
  // True of nearly every page, which then is not written as JSON only to be measured.
  if (longest <= pageBytes) return tasks
  return tasks.slice(0, countFitting(tasks.map((task) => Buffer.byteLength(JSON.stringify(task)) + 1)))
}
