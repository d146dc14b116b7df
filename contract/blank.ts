/**
 * The pattern of a text that shows something. It matches a character that is visible: white space, control characters, blank
 * signs, and the characters that Unicode lets fonts ignore are not. The pattern is also valid without the flag `u`, because
 * some libraries read it without.
 */
export const visible = String.raw`[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB\u{1D159}]`

const anyVisible = new RegExp(visible, 'u')

/** The place of the first character that shows something, or -1. */
export const firstVisible = (text: string): number => text.search(anyVisible)

export const isBlank = (text: string): boolean => firstVisible(text) < 0
