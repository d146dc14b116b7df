import { EditorView, runScopeHandlers } from '@codemirror/view'
import { pressedKey } from '../../ui/pressed-key.ts'

/**
 * On Android, CodeMirror delays Enter to the next frame, and loses it if text comes first. With an EditContext the browser makes no line
 * break itself, so Enter can act at once, except during a composition.
 */
export const enterAtOnce = EditorView.domEventHandlers({
  beforeinput({ inputType }, view) {
    const isHandledHere = Boolean((view.contentDOM as { editContext?: unknown }).editContext)
    if (inputType !== 'insertParagraph' || !isHandledHere || view.compositionStarted) return false
    return runScopeHandlers(view, new KeyboardEvent('keydown', { key: 'Enter' }), 'editor')
  },
})

/** The commands of the editor on layouts that are not Latin, also in browsers that report no key code. Runs after the key maps. */
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
