import { createEditor, warmUp } from '../notes/editor/create-editor.ts'

// A note that waits for the editor comes first.
setTimeout(warmUp)

export { createEditor }
