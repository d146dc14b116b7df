import { describe, expect, test } from 'vitest'
import { verbs } from './verbs.ts'

describe.each(Object.values(verbs))('$name', ({ said: { done, doneTo, undone, failed } }) => {
  test('names what was done, of one and of several, and the day, priority or tag that they got', () => {
    expect(done).toMatch(
      /^[A-Z][a-z]+( repeating)? {items}( (to|by adding|by removing|by renaming a tag to) {to}| to an earlier version)?$/,
    )
    if (doneTo) expect(doneTo).toMatch(new RegExp(`^${done} (for|to) {to}$`))
  })

  test('says what is true again after it was undone, of one and of several', () => {
    expect(undone[0]).toMatch(/^{items} (is|has|was|no longer has) [a-z ]+$/)
    expect(undone[1]).toMatch(/^{items} (are|have|were|no longer have) [a-z ]+$/)
  })

  test('says what was not stored in a sentence of its own, after which the reason follows', () => {
    expect(failed).toMatch(/^This (task|note|line|text) was not [a-z]+\.$/)
  })
})
