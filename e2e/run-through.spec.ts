import { expect, test } from '@playwright/test'
import { filesOf } from './coverage.ts'
import { measure } from './run-through.ts'

/**
 * How many files at most, without components and their hooks: a change that needs fewer lowers its number, and none raises one.
 * `node e2e/print-run-through.ts` prints them. After an action, one more than it prints may run, because some work ends late.
 */
const most = {
  'an added line': { web: 30, contract: 18, server: 47 },
  'an edit in the dialog': { web: 43, contract: 12, server: 47 },
  'a key in a note': { web: 54, contract: 9, server: 48 },
  'an idle second': { web: 0, contract: 0, server: 4 },
}

test('An addition, an edit, a key in a note and an idle second run through no more files than before', async ({
  browser,
}) => {
  const ran = await measure(browser)
  for (const [action, bounds] of Object.entries(most)) {
    for (const part of ['web', 'contract', 'server'] as const) {
      const files = filesOf(ran[action] ?? new Map(), part)
      expect(files.length, `${action}: ${files.join(' ')}`).toBeLessThanOrEqual(bounds[part])
      if (bounds[part] > 0) expect(files, `${action}: files of ${part}/`).not.toEqual([])
    }
  }
})
