import type { Kind, KindName } from './item-kind.ts'
import { noteKind } from './note-kind.ts'
import { taskKind } from './task-kind.ts'

export const kinds: Record<KindName, Kind> = { task: taskKind, note: noteKind }

export const allKinds = Object.values(kinds)
