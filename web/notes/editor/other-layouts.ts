import { EditorView, runScopeHandlers } from '@codemirror/view'
import { pressedKey } from '../../ui/pressed-key.ts'

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
