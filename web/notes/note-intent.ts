/**
 * That a note is wanted, and the text it is to begin with: the visitor pressed Write a Note, which leads to the login and
 * from there to the dashboard, or another program shared a text. The dashboard offers the note then. Kept for this tab, until
 * a logout.
 */
const key = 'writesNote'

export const rememberNoteIntent = (text = ''): void => sessionStorage.setItem(key, text)

export const noteIntent = (): string | null => sessionStorage.getItem(key)

export const forgetNoteIntent = (): void => sessionStorage.removeItem(key)
