import { editor, importing, notes, rest } from './parts.ts'

rest.isImportedBy(() => import('./rest.ts'))
notes.isImportedBy(() => import('./notes.ts'))
editor.isImportedBy(() => import('./editor.ts'))
importing.isImportedBy(() => import('./importing.ts'))
