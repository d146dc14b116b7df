import { instantIn, storedInstant } from '../parsing/days.ts'
import { isObject, type JsonObject, objectIn, objectsIn, parseJson, textIn } from '../parsing/json.ts'
import type { Reader } from './reader.ts'

const isBackup = (beginning: string) =>
  /^\s*\{/.test(beginning) && /"items"\s*:\s*\[/.test(beginning) && /"content_type"\s*:/.test(beginning)

/** The backup of Standard Notes, which has all items. The texts beside it in a zip are the same again. */
export const standardNotes: Reader = {
  label: 'Standard Notes',
  finds(files) {
    const backup = files.find(({ beginning = '' }) => isBackup(beginning))
    if (!backup) return []
    return [
      backup,
      ...files.filter((file) => file !== backup && backup.zip !== undefined && file.zip === backup.zip),
    ]
  },
  async read([backup], build) {
    if (!backup) return
    const { path } = backup
    const items = objectsIn(objectIn(parseJson(await backup.text(), path), 'items', { file: path }).items)
    const tags = new Map<string, string[]>()
    for (const { content_type: type, content } of items)
      if (type === 'Tag' && isObject(content))
        for (const { uuid } of objectsIn(content.references))
          tags.set(textIn(uuid), [...(tags.get(textIn(uuid)) ?? []).slice(0, 100), textIn(content.title)])
    for (const item of items) if (item.content_type === 'Note' && item.deleted !== true) addNote(item)

    function addNote({ uuid, content: said, created_at: created, updated_at: updated }: JsonObject) {
      const content = isObject(said) ? said : {}
      const [title, text] = [textIn(content.title), textIn(content.text)]
      const at = build.row({ file: path }, title || text || textIn(uuid))
      const data = isObject(content.appData) ? content.appData['org.standardnotes.sn'] : undefined
      const own = isObject(data) ? data : {}
      if (typeof said === 'string') build.remark(at, 'encrypted-note', {})
      else if (content.trashed === true) build.remark(at, 'row-left-out', { reason: 'deleted' })
      else
        build.addNote({
          ...{ row: at, key: textIn(uuid) || undefined, title, text },
          tags: [...(tags.get(textIn(uuid)) ?? []), ...(own.archived === true ? ['archived'] : [])],
          pinned: own.pinned === true,
          createdAt: storedInstant(instantIn(textIn(created), 'UTC')),
          changedAt: storedInstant(instantIn(textIn(own.client_updated_at ?? updated), 'UTC')),
        })
    }
  },
}
