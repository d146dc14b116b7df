import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  openSearchPanel,
  SearchQuery,
  search,
  searchPanelOpen,
  setSearchQuery,
} from '@codemirror/search'
import { EditorSelection, EditorState, StateEffect, StateField, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, type KeyBinding, keymap } from '@codemirror/view'
import { findWords } from '#contract/find-words.ts'
import { findFolded } from '#contract/folded-places.ts'
import { fold } from '#contract/folding.ts'
import type { Range } from '#contract/ranges.ts'

const keys: KeyBinding[] = [
  { key: 'Mod-f', run: openSearchPanel, scope: 'editor search-panel' },
  { key: 'F3', run: findNext, shift: findPrevious, scope: 'editor search-panel', preventDefault: true },
  { key: 'Mod-g', run: findNext, shift: findPrevious, scope: 'editor search-panel', preventDefault: true },
  { key: 'Escape', run: closeSearchPanel, scope: 'editor search-panel' },
]

/** Shows the place of the selected match in the panel, and goes to the next match while a query is typed. */
const foundCount = EditorView.updateListener.of(({ view, state, startState, docChanged, selectionSet }) => {
  if (!searchPanelOpen(state)) return
  const query = getSearchQuery(state)
  const isTyped = query.search !== getSearchQuery(startState).search
  if (!isTyped && !docChanged && !selectionSet && searchPanelOpen(startState)) return
  const ranges = query instanceof FoldedQuery ? query.create().matchAll(state, Number.POSITIVE_INFINITY) : []
  const { main } = state.selection
  const next = ranges?.find(({ from }) => from >= main.from) ?? ranges?.[0]
  if (isTyped && next && searchPanelOpen(startState)) {
    const selection = EditorSelection.single(next.from, next.to)
    if (!selection.main.eq(main))
      return view.dispatch({
        selection,
        effects: EditorView.scrollIntoView(selection.main, { y: 'center' }),
        userEvent: 'select.search',
      })
  }
  counterOf(view).textContent = query.search === '' ? '' : countText(state, ranges ?? [])
})

function countText({ selection: { main } }: EditorState, ranges: readonly Range[]) {
  const place = ranges.findIndex(({ from, to }) => from === main.from && to === main.to)
  return place < 0 ? `${ranges.length} found` : `${place + 1} of ${ranges.length}`
}

function counterOf(view: EditorView): Element {
  const field = view.dom.querySelector('[main-field]')
  const held = field?.parentElement?.querySelector('output')
  if (held) return held
  const counter = document.createElement('output')
  field?.after(counter)
  // The panel reads its fields only after keys. Pasted or spoken text would be ignored.
  field?.parentElement?.addEventListener('input', ({ target }) => target?.dispatchEvent(new Event('change')))
  return counter
}

const wordsFound = StateEffect.define<Range[]>()

const foundWord = Decoration.mark({ class: 'found-word' })

/** Marks the searched words until something is typed or the caret moves. */
const foundWords = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { effects, docChanged, selection }) {
    for (const effect of effects)
      if (effect.is(wordsFound))
        return Decoration.set(effect.value.map(({ from, to }) => foundWord.range(from, to)))
    return docChanged || selection ? Decoration.none : marks
  },
  provide: (field) => EditorView.decorations.from(field),
})

export function reveal(view: EditorView, words: readonly string[]) {
  const ranges = findWords(view.state.doc.toString(), words)
  const [first] = ranges
  if (!first) return
  view.dispatch({
    selection: { anchor: first.from },
    effects: [wordsFound.of(ranges), EditorView.scrollIntoView(first.from, { y: 'center' })],
  })
}

/** Compares texts as searches do. CodeMirror ignores only case, and calls the undocumented `create` of its queries. */
export class FoldedQuery extends SearchQuery {
  create() {
    return foldedMatches(this)
  }
}

const foldQueries = EditorState.transactionFilter.of((transaction) => {
  const queries = transaction.effects.flatMap((effect) => folded(effect) ?? [])
  return queries.length > 0 ? [transaction, { effects: queries }] : transaction
})

function folded(effect: StateEffect<unknown>) {
  if (!effect.is(setSearchQuery) || effect.value instanceof FoldedQuery) return
  const { search, replace } = effect.value
  return setSearchQuery.of(new FoldedQuery({ search, replace, literal: true }))
}

/** `precise`: it consists of whole characters, and is not the s of an ß, so that it can be replaced. */
type Match = Range & { precise: boolean }

const matchesOf = (text: string, wanted: string): Match[] =>
  findFolded(text, wanted).map((range) => ({
    ...range,
    precise: fold(text.slice(range.from, range.to)) === wanted,
  }))

function foldedMatches(spec: FoldedQuery) {
  const wanted = fold(spec.search)
  let last: { doc: Text; matches: Match[] } | undefined
  const matchesIn = ({ doc }: EditorState) => {
    if (last?.doc !== doc) last = { doc, matches: matchesOf(doc.toString(), wanted) }
    return last.matches
  }
  const unlessSame = (match: Match | undefined, from: number, to: number) =>
    match && (match.from !== from || match.to !== to) ? match : null
  return {
    spec,
    nextMatch(state: EditorState, from: number, to: number) {
      const matches = matchesIn(state)
      return unlessSame(matches.find((match) => match.from >= to) ?? matches[0], from, to)
    },
    prevMatch(state: EditorState, from: number, to: number) {
      const matches = matchesIn(state)
      return unlessSame(matches.findLast((match) => match.to <= from) ?? matches.at(-1), from, to)
    },
    highlight(state: EditorState, from: number, to: number, add: (from: number, to: number) => void) {
      for (const match of matchesIn(state))
        if (match.to >= from && match.from <= to) add(match.from, match.to)
    },
    matchAll: (state: EditorState, limit: number) => {
      const matches = matchesIn(state)
      return matches.length < limit ? matches : null
    },
    getReplacement: () => spec.replace,
  }
}

/** Finds in the whole note: the browser finds only rendered lines. */
export const find = [
  search({ top: true }),
  foldQueries,
  foundCount,
  foundWords,
  keymap.of(keys),
  EditorState.phrases.of({
    ...{ Find: 'Find in the note', next: 'Next', previous: 'Previous', close: 'Close' },
    ...{ Replace: 'Replace with', replace: 'Replace', 'replace all': 'Replace all' },
    'replaced match on line $': 'Replaced in line $',
    'replaced $ matches': '$ replaced',
  }),
]
