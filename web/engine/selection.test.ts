import { beforeEach, expect, test } from 'vitest'
import { createSelection } from './selection.ts'

let selection: ReturnType<typeof createSelection>

beforeEach(() => {
  selection = createSelection()
})

const cards = ['a', 'b', 'c', 'd', 'e']
const state = () => selection.getState()
const selected = () => [...state().ids].sort().join('')

test('a range grows and shrinks from the card at which it began, in both directions', () => {
  for (const [step, range] of Object.entries({ cd: 'cd', de: 'cde', ed: 'cd', dc: 'c', cb: 'bc' })) {
    const [from = '', to = ''] = step
    state().extend(from, to, cards)
    expect(selected()).toBe(range)
  }
})

test('a range begins at the card that was chosen last, and leaves the others selected', () => {
  state().toggle('a')
  state().toggle('c')
  state().extend('c', 'e', cards)
  expect(selected()).toBe('acde')
  state().extend('e', 'd', cards)
  expect(selected()).toBe('acd')
})

test('a range from a card that was taken out includes it again', () => {
  state().toggle('b')
  state().toggle('b')
  expect(selected()).toBe('')
  state().extend('b', 'c', cards)
  expect(selected()).toBe('bc')
})

test('a card that goes is not selected any more, and a range does not begin at it', () => {
  state().toggle('b')
  state().toggle('d')
  state().drop('d')
  expect(selected()).toBe('b')
  state().extend('a', 'c', ['a', 'b', 'c', 'e'])
  expect(selected()).toBe('abc')
})

test('all cards are selected, and none after clearing', () => {
  state().selectAll(cards)
  expect(selected()).toBe('abcde')
  state().clear()
  state().extend('d', 'e', cards)
  expect(selected()).toBe('de')
})
