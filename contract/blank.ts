/**
 * The pattern of a text that shows something: with a character that is neither white space, nor a control character, nor one
 * of those that Unicode lets fonts ignore, nor a blank sign. Also an expression without the flag `u`, as some libraries read it.
 */
export const visible = String.raw`[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB\u{1D159}]`

const anyVisible = new RegExp(visible, 'u')

/** The place of the first character that shows something, or -1. */
export const firstVisible = (text: string): number => text.search(anyVisible)

/** Whether a text shows nothing. */
export const isBlank = (text: string): boolean => firstVisible(text) < 0
