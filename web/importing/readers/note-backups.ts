import { isObject } from '#contract/matches-schema.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { clockAt, storedInstant, storedInstantIn } from '../parsing/days.ts'
import { folderOf, type ImportedFile, type Reader, readTexts } from '../parsing/entries.ts'
import { attached, checkbox, escaped, paragraphs } from '../parsing/fitted-text.ts'
import { htmlOf, markdownInHtml } from '../parsing/html.ts'
import { fieldsIn, type JsonObject, objectsIn, parseObject, textIn } from '../parsing/json-and-tables.ts'

const ofKeep = /"(isTrashed|userEditedTimestampUsec)"\s*:/

/** The notes of Google Takeout: a JSON file for each, beside the same as HTML. */
export const keep: Reader = {
  label: 'Google Keep',
  finds(files) {
    const notes = files.filter(({ path, beginning = '' }) => path.endsWith('.json') && ofKeep.test(beginning))
    const folders = new Set(notes.map(({ path }) => folderOf(path)))
    return files.filter(({ path }) => folders.has(folderOf(path)))
  },
  async read(files, build) {
    const names = new Set(files.map(({ path }) => path))
    const isJson = ({ path }: ImportedFile) => path.endsWith('.json')
    for await (const { path, text } of readTexts(files.filter(isJson)))
      addKeepNote(parseObject(text, 'not-a-note', { file: path }), path, build)
    for (const { path } of files)
      if (!names.has(path.replace(/\.html$/i, '.json')) && !path.endsWith('/Labels.txt')) build.leaveOut(path)
  },
}

function addKeepNote(note: JsonObject, file: string, build: ImportBuilder) {
  const [title, text] = [textIn(note.title), textIn(note.textContent)]
  const at = build.row({ file }, title || text)
  if (note.isTrashed === true) return build.remark(at, 'deleted')
  const microseconds = (name: string) => storedInstant(Math.floor(Number(note[name]) / 1000))
  const attachments = objectsIn(note.attachments).map(({ filePath }) => textIn(filePath))
  const boxes = objectsIn(note.listContent).map((item) =>
    checkbox(textIn(item.text), item.isChecked === true),
  )
  const links = objectsIn(note.annotations).flatMap(({ url, title: name }) => {
    const address = textIn(url)
    return address === '' || text.includes(address)
      ? []
      : [textIn(name) ? `${textIn(name)}: ${address}` : address]
  })
  const parts = [text, boxes.join('\n'), links.join('\n'), attached(attachments, at)]
  build.add({
    ...{ kind: 'note', row: at, title, body: paragraphs(parts) },
    tags: [
      ...objectsIn(note.labels).map(({ name }) => textIn(name)),
      ...(note.isArchived === true ? ['archived'] : []),
    ],
    pinned: note.isPinned === true,
    createdAt: microseconds('createdTimestampUsec'),
    changedAt: microseconds('userEditedTimestampUsec'),
  })
}

const isBackup = (beginning: string) =>
  /^\s*\{/.test(beginning) && /"items"\s*:\s*\[/.test(beginning) && /"content_type"\s*:/.test(beginning)

/** The backup of Standard Notes, which has all items. The texts beside it in a zip are the same again. */
export const standardNotes: Reader = {
  label: 'Standard Notes',
  finds(files) {
    const backup = files.find(({ beginning = '' }) => isBackup(beginning))
    if (!backup) return []
    return [backup, ...files.filter(({ zip }) => zip !== undefined && zip === backup.zip)]
  },
  async read([backup], build) {
    if (!backup) return
    const { path } = backup
    const items = objectsIn(parseObject(await backup.text(), 'no-items', { file: path }).items)
    const tags = new Map<string, string[]>()
    for (const { content_type: type, content } of items) {
      const { title, references } = fieldsIn(type === 'Tag' && content)
      for (const id of objectsIn(references).map(({ uuid }) => textIn(uuid)))
        tags.set(id, [...(tags.get(id) ?? []).slice(0, 100), textIn(title)])
    }
    for (const item of items) {
      if (item.content_type !== 'Note' || item.deleted === true) continue
      const [id, content] = [textIn(item.uuid), fieldsIn(item.content)]
      const [title, text] = [textIn(content.title), textIn(content.text)]
      const at = build.row({ file: path }, title || text || id)
      const own = fieldsIn(fieldsIn(content.appData)['org.standardnotes.sn'])
      if (typeof item.content === 'string') build.remark(at, 'encrypted-note')
      else if (content.trashed === true) build.remark(at, 'deleted')
      else
        build.add({
          ...{ kind: 'note', row: at, key: id, title },
          body: await markdownOf(content.noteType, text, path),
          tags: [...(tags.get(id) ?? []), ...(own.archived === true ? ['archived'] : [])],
          pinned: own.pinned === true,
          createdAt: storedInstantIn(textIn(item.created_at)),
          changedAt: storedInstantIn(textIn(own.client_updated_at ?? item.updated_at)),
        })
    }
  },
}

/** A note of the editor Super is a tree of nodes (Lexical), one of the rich editors is HTML. */
async function markdownOf(type: unknown, text: string, file: string): Promise<string> {
  if (type === 'rich-text') return await markdownInHtml(text)
  if (type !== 'super' || !/^\s*\{/.test(text)) return text
  const { root } = parseObject(text, 'no-root', { file })
  return isObject(root) ? await markdownInHtml(htmlOf(root)) : text
}

const itemPath = /(^|\/)[\da-f]{32}\.md$/
const link = /(!?)\[((?:[^[\]\\\n]|\\.){0,500})\]\(:\/([\da-f]{32})(?:#[^()\n]{0,500})?\)/g
const types = { note: '1', folder: '2', resource: '4', tag: '5', noteTag: '6' }
const deepest = 20

/** An item as Joplin stores it: its title, its body, and the lines of its values at the end. */
type Item = { title: string; body: string; value: (name: string) => string; path: string }

/** The JEX of Joplin, or its RAW folder. */
export const joplin: Reader = {
  label: 'Joplin',
  finds(files) {
    if (!files.some(({ path }) => itemPath.test(path))) return []
    return files.filter(({ path }) => itemPath.test(path) || /(^|\/)resources\//.test(path))
  },
  async read(files, build) {
    const items: Item[] = []
    for await (const { path, text } of readTexts(files.filter(({ path }) => itemPath.test(path))))
      items.push(itemIn(text.replace(/\r\n?/g, '\n'), path))
    const byType = Map.groupBy(items, ({ value }) => value('type_'))
    const named = (type: string) => new Map(byType.get(type)?.map((item) => [item.value('id'), item]))
    const [folders, resources, tags] = [named(types.folder), named(types.resource), named(types.tag)]
    const notes = byType.get(types.note) ?? []
    const tagsOf = Map.groupBy(byType.get(types.noteTag) ?? [], ({ value }) => value('note_id'))
    const targets = new Map(notes.map(({ value }) => [value('id'), kindOf(value)]))

    const listOf = (id: string) => {
      const names: string[] = []
      for (let at = folders.get(id); at && names.length < deepest; at = folders.get(at.value('parent_id')))
        names.unshift(at.title)
      return names.join('/')
    }
    for (const item of notes) {
      const { title, path, value } = item
      const at = build.row({ file: path }, title)
      if (!['', '0'].includes(value('deleted_time'))) {
        build.remark(at, 'deleted')
        continue
      }
      if (value('encryption_applied') === '1') {
        build.remark(at, 'encrypted-note')
        continue
      }
      const body = value('markup_language') === '2' ? await markdownInHtml(item.body) : item.body
      const text = body.replace(link, (whole, sign: string, words: string, id: string) => {
        const [kind, file] = [targets.get(id), resources.get(id)]
        if (kind && sign === '') return `[${words}](${kind}:${build.idOfKey(kind, id)})`
        if (file) build.remark(at, 'attachment-left-out', file.title.slice(0, 100) || id)
        else build.remark(at, 'link-left', id)
        return file ? `[${words || escaped(file.title)}]` : whole
      })
      const tagNames = (tagsOf.get(value('id')) ?? []).flatMap(
        (each) => tags.get(each.value('tag_id'))?.title ?? [],
      )
      const instant = (...names: string[]) => storedInstantIn(names.map(value).find(Boolean) ?? '')
      if (value('source_url') !== '')
        build.remark(at, 'value-left-out', 'source_url', value('source_url').slice(0, 100))
      build.add({
        ...{ kind: kindOf(value), row: at, key: value('id'), title, body: text },
        ...{ list: listOf(value('parent_id')), tags: tagNames },
        createdAt: instant('user_created_time', 'created_time'),
        changedAt: instant('user_updated_time', 'updated_time'),
        due: clockAt(storedInstant(Number(value('todo_due'))), build.options.zone),
        done: storedInstant(Number(value('todo_completed'))),
      })
    }
  },
}

const kindOf = (value: Item['value']): 'task' | 'note' => (value('is_todo') === '1' ? 'task' : 'note')

function itemIn(text: string, path: string): Item {
  const end = text.trimEnd()
  const from = end.lastIndexOf('\n\n')
  const values = new Map(
    end
      .slice(from < 0 ? 0 : from + 2)
      .split('\n')
      .map((line) => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  )
  const said = from < 0 ? '' : end.slice(0, from)
  const [title = ''] = said.split('\n', 1)
  return { title, body: said.slice(title.length).trim(), value: (name) => values.get(name) ?? '', path }
}
