/**
 * Remembers that a person wants to write a note, and the text with which it begins: a visitor pressed Write a Note, which
 * leads to the login and then to the dashboard, or another program shared a text. The dashboard then offers the note. Kept for
 * this tab, until a logout.
 */
const key = 'writesNote'

export const rememberNoteIntent = (text = ''): void => sessionStorage.setItem(key, text)

export const noteIntent = (): string | null => sessionStorage.getItem(key)

export const forgetNoteIntent = (): void => sessionStorage.removeItem(key)
