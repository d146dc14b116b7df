import { EditorView, runScopeHandlers } from '@codemirror/view'
import { pressedKey } from '../../ui/pressed-key.ts'

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

/** The commands of the editor on layouts that are not Latin, also in browsers that report no key code there. After the key maps. */
export const otherLayouts = EditorView.domEventHandlers({
  keydown(event, view) {
    const key = pressedKey(event)
    const { ctrlKey, metaKey, altKey, shiftKey } = event
    if (key === '' || key === event.key || !(ctrlKey || metaKey)) return false
    const keyCode = key.toUpperCase().charCodeAt(0)
    const press = new KeyboardEvent('keydown', { key, keyCode, ctrlKey, metaKey, altKey, shiftKey })
    return runScopeHandlers(view, press, 'editor')
  },
})
