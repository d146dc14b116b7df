import { useGoToView } from '../state/dashboard-state.tsx'
import { focusOnceShown } from '../ui/focus-once-shown.ts'

export const focusQuickLine = (): boolean => focus('[data-quick-add]')

export const focusSearch = (): boolean => focus('[data-action=search]')

function focus(selector: string): boolean {
  const field = document.querySelector<HTMLInputElement>(selector)
  field?.focus()
  if (field?.type === 'search') field.select()
  return field !== null
}

export function useQuickLine() {
  const goTo = useGoToView()
  return () => focusOnceShown(focusQuickLine, () => goTo('today'))
}
