import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSimilar, partsOf, similarTo } from '#contract/similar-words.ts'

const letters = [...'abcdeé']
const wordsOfLetters = fc
  .array(fc.constantFrom(...letters), { minLength: 6, maxLength: 9 })
  .map((word) => word.join(''))

test('a word is similar if one letter is wrong, missing, too many or in the place of the next one', () => {
  for (const word of ['pasport', 'passsport', 'passpert', 'psasport', 'passpotr', 'assport', 'passporr'])
    expect([word, isSimilar(word, 'passport')]).toEqual([word, true])
  expect(isSimilar('pasport', 'passports')).toBe(true)
  for (const word of ['pasprot', 'passport', 'pasta', 'passing'])
    expect([word, isSimilar(word, 'passport')]).toEqual([word, false])
  // Not each word with the same beginning.
  expect(isSimilar('planes', 'planets')).toBe(true)
  expect(isSimilar('planer', 'planets')).toBe(false)
})

test('every similar word contains one of the parts that the database looks for', () => {
  fc.assert(
    fc.property(
      wordsOfLetters,
      fc.nat(),
      fc.nat(3),
      fc.constantFrom(...letters),
      (word, at, change, letter) => {
        const text = [...word]
        const place = at % text.length
        if (change === 0) text[place] = letter
        else if (change === 1) text.splice(place, 1)
        else if (change === 2) text.splice(place, 0, letter)
        else text.splice(place, 2, ...text.slice(place, place + 2).reverse())
        const similar = text.join('')
        expect(partsOf(word).some((part) => similar.includes(part))).toBe(true)
        if (similar.length > word.length)
          expect(similar.includes(word) || isSimilar(word, similar)).toBe(true)
      },
    ),
  )
})

test('each word that a text does not contain is replaced by a similar one of its title, a tag by one of its tags', () => {
  const folded = 'renew the passport\nbefore summer #travel'
  expect(similarTo(['pasport', 'summer'])(folded)).toEqual(['passport'])
  expect(similarTo(['#travle'])(folded)).toEqual(['#travel'])
  for (const words of [['passport'], ['sumner'], ['pasport', 'winter'], ['trip']])
    expect([words, similarTo(words)(folded)]).toEqual([words, undefined])
})
