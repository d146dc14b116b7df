import { SearchQuery, setSearchQuery } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { FoldedQuery, find } from './find.ts'

const matchesOf = (doc: string, search: string) => {
  const state = EditorState.create({ doc })
  return new FoldedQuery({ search, literal: true })
    .create()
    .matchAll(state, 1000)
    ?.map(({ from, to }) => doc.slice(from, to))
}

test.each([
  ['España, espan\u0303a', 'espana', ['España', 'espan\u0303a']],
  ['Straße', 'STRASSE', ['Straße']],
  ['don’t “co‑op”', 'don\'t "co-op"', ['don’t “co‑op”']],
  ['Do\u00adnau\u200bdampf', 'donaudampf', ['Do\u00adnau\u200bdampf']],
  ['#homework', '#home', ['#home']],
  ['aaaa', 'aa', ['aa', 'aa']],
  ['C:\\new', '\\n', ['\\n']],
  ['abc', '\u200b', []],
])('In %s, %s is found', (doc, search, expected) => {
  expect(matchesOf(doc, search)).toEqual(expected)
})

test('A match is replaced only if it is the whole of its characters, so that nothing else is removed', () => {
  const state = EditorState.create({ doc: 'Straße, strasse' })
  const precise = (search: string) =>
    new FoldedQuery({ search, literal: true })
      .create()
      .matchAll(state, 1000)
      ?.map((match) => match.precise)
  expect(precise('strasse')).toEqual([true, true])
  expect(precise('stras')).toEqual([false, true])
})

test('The query of the panel goes from one place to the next and around, forwards and backwards', () => {
  let state = EditorState.create({ doc: 'Señor, senor, SEÑOR', extensions: [find] })
  const effects = setSearchQuery.of(new SearchQuery({ search: 'senor', replace: '\\n$&' }))
  let query: FoldedQuery | undefined
  const transaction = state.update({ effects })
  for (const effect of transaction.effects)
    if (effect.is(setSearchQuery) && effect.value instanceof FoldedQuery) query = effect.value
  state = transaction.state
  const matches = query?.create()
  expect(matches?.getReplacement()).toBe('\\n$&')
  expect(matches?.nextMatch(state, 0, 0)).toMatchObject({ from: 0, to: 5 })
  expect(matches?.nextMatch(state, 0, 5)).toMatchObject({ from: 7, to: 12 })
  expect(matches?.nextMatch(state, 14, 19)).toMatchObject({ from: 0, to: 5 })
  expect(matches?.prevMatch(state, 7, 12)).toMatchObject({ from: 0, to: 5 })
  expect(matches?.prevMatch(state, 0, 5)).toMatchObject({ from: 14, to: 19 })
})
