import { SearchQuery, setSearchQuery } from '@codemirror/search'
import { EditorState, type StateEffect, type Text } from '@codemirror/state'
import { findFolded } from '#contract/folded-places.ts'
import { fold } from '#contract/folding.ts'
import type { Range } from '#contract/ranges.ts'

/**
 * A query that compares texts as searches do. It ignores case, accents and other forms of the same characters. CodeMirror
 * ignores case alone, and calls `create` of its queries, although it documents only their values.
 */
export class FoldedQuery extends SearchQuery {
  create() {
    return foldedMatches(this)
  }
}

/** Replaces each query that the panel sets. */
export const foldQueries = EditorState.transactionFilter.of((transaction) => {
  const queries = transaction.effects.flatMap((effect) => folded(effect) ?? [])
  return queries.length > 0 ? [transaction, { effects: queries }] : transaction
})

function folded(effect: StateEffect<unknown>) {
  if (!effect.is(setSearchQuery) || effect.value instanceof FoldedQuery) return
  return setSearchQuery.of(new FoldedQuery({ search: effect.value.search, literal: true }))
}

/** What CodeMirror's commands and marks need of a query. */
function foldedMatches(spec: FoldedQuery) {
  const wanted = fold(spec.search)
  /** The document that was searched last, and where the text is in it. */
  let last: { doc: Text; ranges: Range[] } | undefined
  const rangesIn = ({ doc }: EditorState) => {
    if (last?.doc !== doc) last = { doc, ranges: findFolded(doc.toString(), wanted) }
    return last.ranges
  }
  const unlessSame = (range: Range | undefined, from: number, to: number) =>
    range && (range.from !== from || range.to !== to) ? range : null
  return {
    spec,
    nextMatch(state: EditorState, from: number, to: number) {
      const ranges = rangesIn(state)
      return unlessSame(ranges.find((range) => range.from >= to) ?? ranges[0], from, to)
    },
    prevMatch(state: EditorState, from: number, to: number) {
      const ranges = rangesIn(state)
      return unlessSame(ranges.findLast((range) => range.to <= from) ?? ranges.at(-1), from, to)
    },
    highlight(state: EditorState, from: number, to: number, add: (from: number, to: number) => void) {
      for (const range of rangesIn(state)) if (range.to >= from && range.from <= to) add(range.from, range.to)
    },
    matchAll: (state: EditorState, limit: number) => {
      const ranges = rangesIn(state)
      return ranges.length < limit ? ranges : null
    },
    getReplacement: () => '',
  }
}
