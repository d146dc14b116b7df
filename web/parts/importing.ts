export { droppedFiles, ImportDialog, readFiles } from '../importing/import-dialog.tsx'
export { pressAgain } from '../ui/press-again.ts'
