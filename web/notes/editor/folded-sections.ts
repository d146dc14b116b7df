import { codeFolding, ensureSyntaxTree, foldEffect, foldedRanges, unfoldEffect } from '@codemirror/language'
import { EditorState, type Range } from '@codemirror/state'
import { Decoration, type EditorView, type KeyBinding } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { headingLevelOf } from '../markdown/headings.ts'
import { control, Drawn } from './drawn.ts'
import { longestParse } from './syntax.ts'
import { fromOthers } from './text-edits.ts'

/** The section of a heading, up to the next heading of its level or above, without blank lines at the end. */
export function sectionAt(state: EditorState, position: number) {
  const { doc } = state
  const tree = ensureSyntaxTree(state, doc.length, longestParse)
  let heading = tree?.topNode.childBefore(doc.lineAt(position).to + 1) ?? null
  while (heading && !headingLevelOf(heading)) heading = heading.prevSibling
  if (!heading) return
  const next = nextSection(heading)
  const from = doc.lineAt(heading.to).to
  const text = doc.sliceString(from, next?.from ?? doc.length).trimEnd()
  return text === '' ? undefined : { from, to: from + text.length }
}

function nextSection(heading: SyntaxNode) {
  const level = headingLevelOf(heading) ?? 0
  let next = heading.nextSibling
  while (next && (headingLevelOf(next) ?? level + 1) > level) next = next.nextSibling
  return next
}

function foldedAt(state: EditorState, position: number) {
  const end = state.doc.lineAt(position).to
  let folded: { from: number; to: number } | undefined
  foldedRanges(state).between(end, end, (from, to) => {
    if (from === end) folded = { from, to }
  })
  return folded
}

/** Folds or unfolds the section at a position, and moves a caret in it to its heading. */
function toggleFold(view: EditorView, position: number): boolean {
  const folded = foldedAt(view.state, position)
  const section = folded ?? sectionAt(view.state, position)
  if (!section) return false
  const { from, to } = section
  const { head } = view.state.selection.main
  view.dispatch({
    effects: (folded ? unfoldEffect : foldEffect).of(section),
    // A caret in a folded section would unfold it.
    ...(head > from && head <= to && { selection: { anchor: from } }),
  })
  return true
}

export const foldKeys: KeyBinding[] = [
  { key: 'Alt-Enter', run: (view) => toggleFold(view, view.state.selection.main.head) },
]

const button = (view: EditorView, textContent: string, name: string) =>
  control(
    'button',
    { className: 'note-fold', textContent, title: `${name} (Alt+Enter)`, ariaLabel: name },
    (pressed) => toggleFold(view, view.posAtDOM(pressed)),
  )

const foldControl = Decoration.widget({
  widget: new Drawn('fold', (view) => button(view, '▾', 'Fold the section')),
  side: 1,
})

export function foldControlAt(state: EditorState, node: SyntaxNode): Range<Decoration>[] {
  const level = headingLevelOf(node)
  const next = node.nextSibling
  const hasText = next && (headingLevelOf(next) ?? 7) > (level ?? 7)
  return level && hasText && !foldedAt(state, node.to)
    ? [foldControl.range(state.doc.lineAt(node.to).to)]
    : []
}

/** An edit in a folded section, or a new line after its heading, unfolds it. */
const showEdited = EditorState.transactionExtender.of((transaction) => {
  const { startState, docChanged, changes } = transaction
  if (!docChanged || transaction.annotation(fromOthers)) return null
  const edited: { from: number; to: number }[] = []
  changes.iterChanges((start, end, _from, _to, { lines }) =>
    foldedRanges(startState).between(start, end, (from, to) => {
      if (end > from || lines > 1) edited.push({ from, to })
    }),
  )
  return { effects: edited.flatMap((range) => unfoldEffect.of(range).map(changes) ?? []) }
})

export const foldedSections = [
  codeFolding({ placeholderDOM: (view) => button(view, '▸ …', 'Show the section') }),
  showEdited,
]
