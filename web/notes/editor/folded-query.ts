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
  const { search, replace } = effect.value
  return setSearchQuery.of(new FoldedQuery({ search, replace, literal: true }))
}

/** `precise`: it is the whole of its characters, and not the s of an ß, so that replacing it removes nothing else. */
type Match = Range & { precise: boolean }

const matchesOf = (text: string, wanted: string): Match[] =>
  findFolded(text, wanted).map((range) => ({
    ...range,
    precise: fold(text.slice(range.from, range.to)) === wanted,
  }))

/** What CodeMirror's commands and marks need of a query. */
function foldedMatches(spec: FoldedQuery) {
  const wanted = fold(spec.search)
  /** The document that was searched last, and where the text is in it. */
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
