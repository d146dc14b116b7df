import { codeFolding, ensureSyntaxTree, foldEffect, foldedRanges, unfoldEffect } from '@codemirror/language'
import { EditorState, type Range } from '@codemirror/state'
import { Decoration, type EditorView, type KeyBinding, WidgetType } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { levelOf } from '../markdown/headings.ts'
import { fromOthers } from './text-edits.ts'

/** In milliseconds: how long a long note may be parsed up to the end of a section. */
const longestParse = 200

/** What a heading folds: the text from its line to the next heading of its level or above, without blank lines at the end. */
export function sectionAt(state: EditorState, position: number) {
  const { doc } = state
  const tree = ensureSyntaxTree(state, doc.length, longestParse)
  let heading = tree?.topNode.childBefore(doc.lineAt(position).to + 1) ?? null
  while (heading && !levelOf(heading)) heading = heading.prevSibling
  if (!heading) return
  const next = nextSection(heading)
  const from = doc.lineAt(heading.to).to
  const text = doc.sliceString(from, next?.from ?? doc.length).trimEnd()
  return text === '' ? undefined : { from, to: from + text.length }
}

function nextSection(heading: SyntaxNode) {
  const level = levelOf(heading) ?? 0
  let next = heading.nextSibling
  while (next && (levelOf(next) ?? level + 1) > level) next = next.nextSibling
  return next
}

/** The folded section that begins at the end of this line. */
function foldedAt(state: EditorState, position: number) {
  const end = state.doc.lineAt(position).to
  let folded: { from: number; to: number } | undefined
  foldedRanges(state).between(end, end, (from, to) => {
    if (from === end) folded = { from, to }
  })
  return folded
}

/** Folds the section that contains a position, or shows it again. The caret is at its heading then. */
function toggleFold(view: EditorView, position: number): boolean {
  const folded = foldedAt(view.state, position)
  const section = folded ?? sectionAt(view.state, position)
  if (!section) return false
  const { from, to } = section
  const { head } = view.state.selection.main
  view.dispatch({
    effects: (folded ? unfoldEffect : foldEffect).of(section),
    // A section is shown as soon as the caret is in it.
    ...(head > from && head <= to && { selection: { anchor: from } }),
  })
  return true
}

export const foldKeys: KeyBinding[] = [
  { key: 'Alt-Enter', run: (view) => toggleFold(view, view.state.selection.main.head) },
]

function button(view: EditorView, sign: string, name: string) {
  const control = document.createElement('button')
  control.type = 'button'
  control.className = 'note-fold'
  control.tabIndex = -1
  control.textContent = sign
  control.title = `${name} (Alt+Enter)`
  control.ariaLabel = name
  // The focus stays in the text.
  control.addEventListener('mousedown', (event) => event.preventDefault())
  control.addEventListener('click', () => toggleFold(view, view.posAtDOM(control)))
  return control
}

class FoldControl extends WidgetType {
  override eq() {
    return true
  }

  override toDOM(view: EditorView) {
    return button(view, '▾', 'Fold the section')
  }

  override ignoreEvent() {
    return true
  }
}

const control = Decoration.widget({ widget: new FoldControl(), side: 1 })

/** The button behind a heading that has something to fold. */
export function foldControlAt(state: EditorState, node: SyntaxNode): Range<Decoration>[] {
  const level = levelOf(node)
  const next = node.nextSibling
  const hasText = next && (levelOf(next) ?? 7) > (level ?? 7)
  return level && hasText && !foldedAt(state, node.to) ? [control.range(state.doc.lineAt(node.to).to)] : []
}

/** A section is shown again if it is edited, or a line is begun behind its heading. */
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
