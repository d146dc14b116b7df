import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { findWords } from '#contract/find-words.ts'
import { fold } from '#contract/folding.ts'
import { hasWords, wordsOf } from '#contract/search-rules.ts'
import { isTag, tagsIn } from '#contract/tags.ts'

test.each([
  ['Ärger', 'arger'],
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['Łódź', 'lodz'],
  ['smørrebrød', 'smorrebrod'],
  ['Đà Nẵng', 'da nang'],
  ['İstanbul', 'istanbul'],
  ['ısı', 'isi'],
  ['Ἀθῆναι', 'αθηναι'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['Ёлка', 'елка'],
  ['ｆｕｌｌ　ｗｉｄｔｈ', 'full width'],
  ['ﬁn', 'fin'],
  ['שָׁלוֹם', 'שלום'],
  ['مُحَمَّد', 'محمد'],
  ['हिन्दी', 'हिन्दी'],
  ['東京', '東京'],
  ['‘don’t’ ʼ ′ ‹›', "'don't' ' ' ''"],
  ['don´t', "don't"],
  ['“a” „b“ «c» ״', '"a" "b" "c" "'],
  ['5″', '5"'],
  ['a–b—c‑d‐e−f―g', 'a-b-c-d-e-f-g'],
  ['Donau\u00addampf\u200bschiff\u2060fahrt', 'donaudampfschifffahrt'],
  ['\ufeffa\u200e\u202eb\u180e\u3164\u034f', 'ab'],
  ['می\u200cخواهم', 'میخواهم'],
  ['👩\u200d👩\u200d👧', '👩👩👧'],
])('%s is searched as %s', (text, folded) => {
  expect(fold(text)).toBe(folded)
})

const characters = Array.from({ length: 0x30000 }, (_, code) => String.fromCodePoint(code)).filter((each) =>
  each.isWellFormed(),
)

test('a folded text is folded already', () => {
  for (const character of characters)
    if (fold(fold(character)) !== fold(character)) throw new Error(`${character} becomes ${fold(character)}`)
})

test('no sequence of marks is sorted that is longer than those of any language', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  onTestFinished(() => normalize.mockRestore())
  // The marks of each pair are in the wrong order. The letter U+FF9E of half width becomes a mark.
  for (const pair of ['\u0315\u0300', '\u0344\u0334', '\uFF9E\u0334', '\u0B4D\u0334']) {
    expect(fold(`a${pair.repeat(50_000)}b`).replace(/\u0B4D+/, '')).toBe('ab')
    findWords(`a${pair.repeat(50_000)}b`, ['a'])
  }
  const sorted = normalize.mock.contexts.flatMap((text) => String(text).match(/[\p{M}\uFF9E]+/gu) ?? [])
  expect(Math.max(...sorted.map((marks) => marks.length))).toBe(30)
})

test('a character with as many marks as a language writes is folded as a whole', () => {
  const syllable = `क${'्र'.repeat(15)}`
  expect(fold(syllable)).toBe(syllable)
})

test('no character has a folded text of more than six times its bytes', () => {
  for (const character of characters)
    if (Buffer.byteLength(fold(character)) > 6 * Buffer.byteLength(character)) throw new Error(character)
})

test('a query is a set of words, without those that another one contains', () => {
  expect(wordsOf('  Buy the  BUY buyer ')).toEqual(['the', 'buyer'])
  expect(wordsOf(' \n ')).toEqual([])
})

test.each([
  ['Buy milk', 'milk eggs', false],
  ['#homework', '#home', false],
  ['#homework', 'home', true],
  ['#Café now', '#cafe', true],
  ['in C#home', '#home', false],
  ['#home-work', '#home', false],
  ['`#home`', '#home', false],
  ['[plan](https://example.org/#home) #home/garden', '#home', false],
  ['#home/garden', '#home/garden', true],
])('whether %s is found by %s: %s', (text, query, expected) => {
  expect(hasWords(fold(text), wordsOf(query))).toBe(expected)
})

describe('the marked parts of a text', () => {
  const marked = (text: string, query: string) =>
    findWords(text, wordsOf(query)).map(({ from, to }) => text.slice(from, to))

  test('are returned as they were written, however they were typed', () => {
    expect(marked('Im Straßencafé', 'STRASSE cafe')).toEqual(['Straße', 'café'])
    expect(marked('Cafe\u0301 au lait', 'café')).toEqual(['Cafe\u0301'])
    expect(marked('👩‍👩‍👧 and 東京に行く', '東京')).toEqual(['東京'])
  })

  test('are whole characters, also if a part of one was found', () => {
    expect(marked('Maß', 'mas')).toEqual(['Maß'])
    expect(marked('한국', '하')).toEqual(['한'])
    expect(marked('x👩\u200d👩\u200d👧y', '👧')).toEqual(['👩\u200d👩\u200d👧'])
    expect(marked('👍🏽 🇩🇪', '👍 🇩')).toEqual(['👍🏽', '🇩🇪'])
  })

  test('of any text are where a part of it is, and fold to it', () => {
    const letters = fc.constantFrom(
      ...['a', 'B', 'ß', 'é', 'e\u0301', '’', '“', '–', '\u00ad', '\u200b', 'ﬁ', '５', 'İ', '″', '´', '한'],
      'क्',
      ...['👩\u200d👧', '👍🏽', '🇩🇪', '\u200c', '\ufe0f', '\u115f', 'ﷺ', '𝒳', '.', 'م', 'ُ'],
    )
    const texts = fc.array(letters, { maxLength: 12 }).map((all) => all.join(''))
    const property = fc.property(texts, texts, texts, (before, part, after) => {
      const word = fold(part)
      fc.pre(/^\S+$/.test(word) && fold(before + part + after) === fold(before) + word + fold(after))
      const text = before + part + after
      const ranges = findWords(text, [word])
      const isAt = ({ from, to }: { from: number; to: number }) =>
        from <= before.length + part.length && to >= before.length
      expect(ranges.some(isAt)).toBe(true)
      for (const { from, to } of ranges) expect(fold(text.slice(from, to))).toContain(word)
    })
    fc.assert(property, { numRuns: 2000 })
  })

  test('do not overlap, and are not tags that only begin with the searched tag', () => {
    expect(marked('banana', 'bana anan')).toEqual(['banan'])
    expect(marked('#homework #home', '#home')).toEqual(['#home'])
  })

  test('are found in parts of the text as in the whole folded text', () => {
    const text = 'क़लम Ἀ\u0323\u0308 ß e\u0327\u0301 𝒳①'
    expect(fold(text)).toBe([...text.matchAll(/\P{M}?\p{M}*/gu)].map(([part]) => fold(part)).join(''))
  })
})

test.each([
  ['#home', ['#home']],
  ['Call “#work” and "#家族" and [#garden]', ['#work', '#家族', '#garden']],
  ['(#work, #home) (see #garden)', ['#work', '#home', '#garden']],
  ['(#part) [chapter](#part) [#part](https://example.org) <a href="#part">', []],
  ['https://example.org/#a <https://example.org/b#c> page.html#part', []],
  ['`#a` ``b ` #c`` #d ` #e', ['#d', '#e']],
  ['```js\n#a\n```\n#b\n> ~~~\n> #c\n#d\n- x\n\n      #e', ['#b', '#d']],
  ['\\#a \\` #b`', ['#b']],
  ['#a/b #a/b/c-d/ #/e #2026/11 #2026/plan', ['#a/b', '#a/b/c-d', '#2026/plan']],
  ['## Title\n#Title\n**#a** *#b* ~~#c~~ | #d|#e|', ['#Title', '#a', '#b', '#c', '#d', '#e']],
  ['#gar\u00ADden', ['#gar\u00ADden']],
  ['＃東京', ['＃東京']],
  ['#a-b- #_c', ['#a-b', '#_c']],
  ['#1 #2026 # C# a#b ##c https://example.org/#top', []],
  ['#3d #q4_2026', ['#3d', '#q4_2026']],
  ['#home, #work. #garden!', ['#home', '#work', '#garden']],
])('the tags of %s', (text, expected) => {
  expect(tagsIn(text).map((tag) => tag.text)).toEqual(expected)
})

test('a long text of signs that begin tags is read in one pass', () => {
  expect(tagsIn('#1'.repeat(100_000))).toEqual([])
  expect(tagsIn(` #${'1-'.repeat(100_000)}`)).toEqual([])
  expect(isTag('#home')).toBe(true)
  expect(isTag('#home now')).toBe(false)
})
