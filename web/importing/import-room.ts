import { importedBytes } from '#contract/import-size.ts'
import type { ImportRoom } from '#contract/imports.ts'
import type { Store } from '../engine/store/store.ts'
import { inDigits } from './parsing/import-codes.ts'
import type { Imported } from './parsing/imported.ts'

/** Sentences about what does not fit into the account. Items that the page knows to be there take no room. */
export function lacking(
  { tasks, notes, versions }: Pick<Imported, 'tasks' | 'notes' | 'versions'>,
  room: ImportRoom,
  { stored }: Pick<Store, 'stored'>,
): string[] {
  const isNew = ({ _id }: { _id: string }) => {
    const known = stored(_id)
    return !known || known.deletedAt !== null
  }
  const added = { tasks: tasks.filter(isNew), notes: notes.filter(isNew), versions }
  const open = (items: readonly { deletedAt: string | null }[]) =>
    items.filter(({ deletedAt }) => deletedAt === null).length
  const ofItems = (name: 'tasks' | 'notes') =>
    sentence(
      open(added[name]),
      room[name],
      (free, wanted) =>
        `Your account has room for ${free} more ${name}, and the import has ${wanted} new ones.`,
    )
  return [
    ofItems('tasks'),
    ofItems('notes'),
    sentence(
      importedBytes(added),
      room.bytes,
      (free, wanted) => `Your account has room for ${free} more bytes, and the import needs up to ${wanted}.`,
    ),
  ].filter((each) => each !== undefined)
}

function sentence(
  wanted: number,
  { stored, max }: { stored: number; max: number },
  say: (free: string, wanted: string) => string,
): string | undefined {
  const free = Math.max(0, max - stored)
  return wanted > free
    ? `${say(inDigits(free), inDigits(wanted))} It stops when your account is full.`
    : undefined
}
