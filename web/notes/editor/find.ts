import { closeSearchPanel, findNext, findPrevious, openSearchPanel, search } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { type KeyBinding, keymap } from '@codemirror/view'
import { foldQueries } from './folded-query.ts'
import { foundCount } from './found-count.ts'

const keys: KeyBinding[] = [
  { key: 'Mod-f', run: openSearchPanel, scope: 'editor search-panel' },
  { key: 'F3', run: findNext, shift: findPrevious, scope: 'editor search-panel', preventDefault: true },
  { key: 'Mod-g', run: findNext, shift: findPrevious, scope: 'editor search-panel', preventDefault: true },
  { key: 'Escape', run: closeSearchPanel, scope: 'editor search-panel' },
]

/** Finds in the whole note: the browser would find only the lines that the editor has rendered. */
export const find = [
  search({ top: true }),
  foldQueries,
  foundCount,
  keymap.of(keys),
  EditorState.phrases.of({
    ...{ Find: 'Find in the note', next: 'Next', previous: 'Previous', close: 'Close' },
    ...{ Replace: 'Replace with', replace: 'Replace', 'replace all': 'Replace all' },
    'replaced match on line $': 'Replaced in line $',
    'replaced $ matches': '$ replaced',
  }),
]
