import { getSearchQuery, searchPanelOpen } from '@codemirror/search'
import { EditorSelection, type EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { FoldedQuery } from './folded-query.ts'

/** Says in the panel which match is selected, of how many, and goes to the next match while a query is typed. */
export const foundCount = EditorView.updateListener.of(
  ({ view, state, startState, docChanged, selectionSet }) => {
    if (!searchPanelOpen(state)) return
    const query = getSearchQuery(state)
    const isTyped = query.search !== getSearchQuery(startState).search
    if (!isTyped && !docChanged && !selectionSet && searchPanelOpen(startState)) return
    const ranges =
      query instanceof FoldedQuery ? query.create().matchAll(state, Number.POSITIVE_INFINITY) : []
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
  },
)

function countText({ selection: { main } }: EditorState, ranges: readonly { from: number; to: number }[]) {
  const place = ranges.findIndex(({ from, to }) => from === main.from && to === main.to)
  return place < 0 ? `${ranges.length} found` : `${place + 1} of ${ranges.length}`
}

/** The place of the count, behind the field of the panel. Made when the panel opens. */
function counterOf(view: EditorView): Element {
  const field = view.dom.querySelector('[main-field]')
  const held = field?.parentElement?.querySelector('output')
  if (held) return held
  const counter = document.createElement('output')
  field?.after(counter)
  // The panel reads its fields after a key alone: a text that was pasted or spoken would be left out, or replaced by nothing.
  field?.parentElement?.addEventListener('input', ({ target }) => target?.dispatchEvent(new Event('change')))
  return counter
}
