import { flushSync } from 'react-dom'

/** Fills the named fields with these values. Null switches off a field that has a switch. */
export function fillIn(form: HTMLFormElement, values: Record<string, string | null>): void {
  for (const [name, value] of Object.entries(values)) {
    const field = form.elements.namedItem(name) as HTMLInputElement
    field.value = value ?? ''
    const off = offSwitch(form, name)
    // The form renders what a press changes, at once: a disabled field takes no focus.
    if (off && off.checked !== (value === null)) flushSync(() => off.click())
  }
}

/** Fills the named fields with these values, and reports each of them as typed, since browsers report only typed values. */
export function typeIn(form: HTMLFormElement | null, values: Record<string, string | null>): void {
  if (!form) return
  fillIn(form, values)
  for (const name of Object.keys(values))
    (form.elements.namedItem(name) as HTMLInputElement).dispatchEvent(new Event('input', { bubbles: true }))
}

/** The checkbox that says that a field has no value. */
export const offSwitch = (form: HTMLFormElement, name: string) =>
  form.querySelector<HTMLInputElement>(`[data-switches-off="${name}"]`)
