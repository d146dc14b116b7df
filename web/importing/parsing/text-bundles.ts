import { instantIn, storedInstant } from './days.ts'
import type { ImportedFile } from './entries.ts'
import { isObject, parseJson, textIn } from './json.ts'

/** What Bear says about a note beside its text. */
export type Bundle = {
  createdAt: string | null
  changedAt: string | null
  isPinned: boolean
  isArchived: boolean
  isTrashed: boolean
  isEncrypted: boolean
}

const info = /^(.*\.textbundle\/)info\.json$/i

/** Whether a file says something about the note in its folder (TextBundle). */
export const isBundleInfo = (path: string): boolean => info.test(path)

/** Returns what these files say, by the folders of the notes. Those of other programs than Bear say nothing. */
export async function bundlesOf(files: readonly ImportedFile[]): Promise<Map<string, Bundle>> {
  const bundles = new Map<string, Bundle>()
  for (const { path, ...file } of files) {
    const [, folder = ''] = info.exec(path) ?? []
    const whole = parseJson(await file.text(), path)
    const said = isObject(whole) ? whole['net.shinyfrog.bear'] : undefined
    if (!isObject(said)) continue
    const instant = (name: string) => storedInstant(instantIn(textIn(said[name]), 'UTC'))
    const has = (name: string) => said[name] === 1 || said[name] === true
    bundles.set(folder, {
      ...{ createdAt: instant('creationDate'), changedAt: instant('modificationDate') },
      ...{ isPinned: has('pinned'), isArchived: has('archived') },
      ...{ isTrashed: has('trashed'), isEncrypted: has('encrypted') },
    })
  }
  return bundles
}
