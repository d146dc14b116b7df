export { createEditor, warmUp } from '../notes/editor/create-editor.ts'
