import { afterEach, expect, test, vi } from 'vitest'
import { excerptOf } from '#contract/excerpt.ts'
import { foldedTexts } from '#contract/folding.ts'
import { noteLength } from '#contract/limits.ts'
import { similarTo } from '#contract/similar-words.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const longestOf = (text: string) => text.repeat(Math.floor(noteLength.max / text.length))

test('the tags of a text are read once for all words of a query', () => {
  const words = [...'abcdefgh'].map((letter) => `#${letter}bcdefghij`)
  // Each word is the beginning of a longer tag.
  const texts = ['T', words.map((word) => `${word}k`).join(' ')]
  const find = similarTo(words)
  const read = vi.spyOn(texts, 'flatMap')
  expect(find(foldedTexts(texts), texts)).toHaveLength(words.length)
  expect(read).toHaveBeenCalledTimes(1)
})

test('of a text without the words, an excerpt folds whole parts and not each character', () => {
  const text = `title\n${longestOf('#abcdeä ')}`
  const normalize = vi.spyOn(String.prototype, 'normalize')
  excerptOf(text, ['#abcde', 'missing'])
  expect(normalize.mock.calls.length).toBeLessThan(100)
})
