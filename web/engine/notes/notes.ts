// What the rest of the engine calls of the code of notes, which is loaded when it is needed.
export { showLink } from './linked-line.ts'
export { documentsOf } from './note-documents.ts'
export { changesEverywhere } from './tag-everywhere.ts'
