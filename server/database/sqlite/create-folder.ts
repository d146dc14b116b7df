import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and those above it. The option `recursive` of Node would try again without end where nothing can be
 * created, such as below /proc.
 */
export function createFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return
  createFolder(dirname(folder), mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process may have created it.
    if (!existsSync(folder)) throw error
  }
}
