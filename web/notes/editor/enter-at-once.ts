import { EditorView, runScopeHandlers } from '@codemirror/view'

/**
 * On Android, CodeMirror waits with Enter for the next frame, and loses it if text comes first, as it does while the page is busy.
 * With an EditContext, which it uses there, the browser makes no line break itself, so the key can act at once. During a
 * composition CodeMirror's wait is needed.
 */
export const enterAtOnce = EditorView.domEventHandlers({
  beforeinput({ inputType }, view) {
    const isHandledHere = Boolean((view.contentDOM as { editContext?: unknown }).editContext)
    if (inputType !== 'insertParagraph' || !isHandledHere || view.compositionStarted) return false
    return runScopeHandlers(view, new KeyboardEvent('keydown', { key: 'Enter' }), 'editor')
  },
})
