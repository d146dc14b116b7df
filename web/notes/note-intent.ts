/**
 * That a visitor pressed Write a Note, which leads to the login and from there to the dashboard: it offers the note then.
 * Kept for this tab, until a logout.
 */
const key = 'writesNote'

export const rememberNoteIntent = (): void => sessionStorage.setItem(key, 'true')

export const hasNoteIntent = (): boolean => sessionStorage.getItem(key) !== null

export const forgetNoteIntent = (): void => sessionStorage.removeItem(key)
