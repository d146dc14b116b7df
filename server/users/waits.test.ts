import { assert, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { countAt, waitAfter } from './attempts.ts'
import { fromNetwork, fromSite, fromUnknownSite, type Policy } from './policies.ts'

const instant = integer({ min: 0, max: 4e12 })
const anyCount = record({ count: integer({ min: 0, max: 1e6 }), since: instant, last_at: instant })

test.each([
  ['from a network', fromNetwork],
  ['from one site to an account', fromSite],
  ['from an unknown site to an account under attack', fromUnknownSite],
])('whatever is stored about guesses %s, the wait ends within the window', (_, policy: Policy) => {
  assert(
    property(anyCount, instant, (stored, now) => {
      const count = countAt(now, policy, stored)
      const wait = waitAfter(now, policy, count)
      expect(wait).toBeGreaterThanOrEqual(0)
      expect(wait).toBeLessThanOrEqual(policy.window)
      // A rejected attempt does not change the stored count; at the end of the wait there is no further wait.
      const later = countAt(now + wait, policy, count)
      if (count.count > 0)
        expect(waitAfter(now + wait, { ...policy, max: Math.max(policy.max, 1) }, later)).toBe(0)
    }),
  )
})
