export { droppedFiles, ImportDialog, readFiles } from '../importing/import-dialog.tsx'
