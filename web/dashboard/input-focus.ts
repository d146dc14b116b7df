import { useGoToView } from '../state/dashboard-state.tsx'
import { focusOnceShown } from '../ui/focus-once-shown.ts'

/** Focuses the line above the list, if the view has one. */
export const focusQuickLine = (): boolean => focus('[data-quick-add]')

/** Focuses the search and selects its text. */
export const focusSearch = (): boolean => focus('[data-action=search]')

function focus(selector: string): boolean {
  const field = document.querySelector<HTMLInputElement>(selector)
  field?.focus()
  if (field?.type === 'search') field.select()
  return field !== null
}

/** Returns the function that focuses the line above the list, on Today if the view has none. */
export function useQuickLine() {
  const goTo = useGoToView()
  return () => focusOnceShown(focusQuickLine, () => goTo('today'))
}
