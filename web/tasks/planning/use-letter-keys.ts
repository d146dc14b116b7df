import { pressedKey } from '../../ui/pressed-key.ts'
import { hasTextFieldFocus } from '../../ui/text-field.ts'
import { useKeyDown } from '../../ui/use-key-down.ts'

/**
 * Calls the function of a key that is pressed while a dialog is open. Does nothing in a field, with a modifier, and for a
 * key that is held down or has opened the dialog.
 */
export function useLetterKeys(isOpen: boolean, actions: Record<string, () => unknown>) {
  useKeyDown(isOpen, (event) => {
    const isModified = event.ctrlKey || event.metaKey || event.altKey
    if (event.defaultPrevented || isModified || event.repeat) return
    if (hasTextFieldFocus(event)) return
    const key = pressedKey(event)
    const action = Object.hasOwn(actions, key) ? actions[key] : undefined
    if (!action) return
    event.preventDefault()
    action()
  })
}
