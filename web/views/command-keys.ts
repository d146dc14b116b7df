// The single keys of commands that neither open a view (views.ts) nor change an item (`web/engine/verbs/`).
export const writeNoteKey = 'w'
export const quickLineKey = 'q'
export const searchKey = '/'
export const keysKey = '?'
export const selectKey = 's'
