import type { Tree } from '@lezer/common'
import { noteParser } from './note-parser.ts'

/** Milliseconds before other work gets its turn. */
export const slice = 8

/** Parses a text without blocking the page. Undefined if aborted. */
export async function parseSlowly(text: string, signal?: AbortSignal): Promise<Tree | undefined> {
  const parse = noteParser.startParse(text)
  for (;;) {
    const end = performance.now() + slice
    while (performance.now() < end) {
      const tree = parse.advance()
      if (tree) return tree
    }
    await new Promise((resolve) => setTimeout(resolve))
    if (signal?.aborted) return
  }
}
