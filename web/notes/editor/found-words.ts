import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { findWords } from '#contract/find-words.ts'
import type { Range } from '#contract/ranges.ts'

const found = StateEffect.define<Range[]>()

const mark = Decoration.mark({ class: 'found-word' })

/** Marks the words by which a note was found, until something is typed or the caret is moved. */
export const foundWords = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { effects, docChanged, selection }) {
    for (const effect of effects)
      if (effect.is(found)) return Decoration.set(effect.value.map(({ from, to }) => mark.range(from, to)))
    return docChanged || selection ? Decoration.none : marks
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Shows the first of these words, with the caret before it. */
export function reveal(view: EditorView, words: readonly string[]) {
  const ranges = findWords(view.state.doc.toString(), words)
  const [first] = ranges
  if (!first) return
  view.dispatch({
    selection: { anchor: first.from },
    effects: [found.of(ranges), EditorView.scrollIntoView(first.from, { y: 'center' })],
  })
}
