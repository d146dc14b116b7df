import { expect, test } from 'vitest'
import { excerptOf, excerptStart } from '#contract/excerpt.ts'

const excerpt = (text: string, word: string) => text.slice(excerptStart(text, [word], 100))

test('an excerpt is the beginning of the text if a word is there, or nowhere', () => {
  const text = `word ${'x '.repeat(200)}`
  expect(excerpt(text, 'word')).toBe(text)
  expect(excerpt(text, 'missing')).toBe(text)
  expect(excerptStart(text, [], 10)).toBe(0)
})

test('an excerpt begins with the line of the first word, or 40 characters before it in a long line', () => {
  expect(excerpt(`${'x\n'.repeat(200)}the word is here`, 'word')).toBe('the word is here')
  expect(excerpt(`${'x '.repeat(200)}the word is here`, 'word')).toBe(`${'x '.repeat(18)}the word is here`)
})

test('a word is found wherever the steps of the search end', () => {
  for (let at = 1950; at < 2050; at += 7)
    expect(excerpt(`${'x'.repeat(at)}\nword`, 'word'), String(at)).toBe('word')
  for (const at of [3997, 3998, 3999, 4000, 5999, 6001])
    expect(excerpt(`${'x'.repeat(at)}\nword`, 'word'), String(at)).toBe('word')
})

test('an excerpt does not begin with half of a character', () => {
  for (const before of [38, 39, 40, 41]) {
    const text = `${'👩'.repeat(200)}${'x'.repeat(before)}word`
    expect(excerpt(text, 'word').isWellFormed(), String(before)).toBe(true)
  }
})

test.each(['[the ferry](https://example.org/a/b?c=d)', 'https://example.org/a/b?c=d', '#harbour/north/east'])(
  'an excerpt begins and ends outside of %s',
  (whole) => {
    for (let space = 1; space < 60; space++) {
      const found = excerpt(`${'x '.repeat(200)}${whole}${' '.repeat(space)}word`, 'word')
      expect(found.includes(whole) || /^(?:x )* *word$/.test(found), found).toBe(true)
    }
    for (let length = 100; length < 200; length++) {
      const found = excerptOf(`title\n${'x'.repeat(length)} ${whole} ${'y'.repeat(200)}`, [])
      expect(found.replace(` ${whole}`, ''), found).toMatch(/^x+ ?y*$/)
    }
  },
)

test('An excerpt of a note has no marks of list items, checkboxes, quotes, headings and rules', () => {
  const text = 'title\n- an item\n  - [x] done\n> > quoted - twice\n---\n## Head #tag\n1. first\n2 * 3'
  expect(excerptOf(text, [])).toBe('an item done quoted - twice Head #tag 1. first 2 * 3')
  expect(excerptOf(`${text}\n${'x\n'.repeat(50)}- the word`, ['word'])).toBe('…the word')
})

test('an excerpt contains the link in which a word is found', () => {
  const link = '[the ferry to the islands in the north](https://example.org/word)'
  expect(excerpt(`${'x '.repeat(200)}${link} y`, 'word')).toBe(`${link} y`)
})
