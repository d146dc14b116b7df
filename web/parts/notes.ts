export { NotesPanel } from '../notes/notes-panel.tsx'
