import { createPart } from '../ui/use-part.ts'

// The parts of the page beside its first load. What is in them may load others, so their code is named in imports.ts.

/** What a first press may need. It is loaded once the page is idle. */
export const rest = createPart<typeof import('./rest.ts')>()

export const notes = createPart<typeof import('./notes.ts')>()

export const editor = createPart<typeof import('./editor.ts')>()

export const importing = createPart<typeof import('./importing.ts')>()
