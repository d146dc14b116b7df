import type { ImportBuilder } from '../parsing/build-import.ts'
import { storedInstant } from '../parsing/days.ts'
import type { ImportedFile } from '../parsing/entries.ts'
import { type JsonObject, objectIn, objectsIn, parseJson, textIn } from '../parsing/json.ts'
import { type Reader, readTexts } from './reader.ts'

const isNote = (beginning: string) => /"(isTrashed|userEditedTimestampUsec)"\s*:/.test(beginning)

/** The notes of Google Takeout: a JSON file for each, beside the same as HTML. */
export const keep: Reader = {
  label: 'Google Keep',
  finds(files) {
    const folders = new Set(
      files.flatMap(({ path, beginning }) =>
        path.endsWith('.json') && isNote(beginning ?? '') ? [path.replace(/[^/]*$/, '')] : [],
      ),
    )
    return files.filter(({ path }) => folders.has(path.replace(/[^/]*$/, '')))
  },
  async read(files, build) {
    const names = new Set(files.map(({ path }) => path))
    const [notes, others] = [true, false].map((isJson) =>
      files.filter(({ path }) => path.endsWith('.json') === isJson),
    ) as [ImportedFile[], ImportedFile[]]
    for await (const { path, text } of readTexts(notes))
      addNote(objectIn(parseJson(text, path), 'a note', { file: path }), path, build)
    for (const { path } of others)
      if (!names.has(path.replace(/\.html$/i, '.json')) && !path.endsWith('/Labels.txt'))
        build.remark(build.row({ file: path }, path), 'file-left-out', {})
  },
}

function addNote(note: JsonObject, file: string, build: ImportBuilder) {
  const [title, text] = [textIn(note.title), textIn(note.textContent)]
  const at = build.row({ file }, title || text)
  if (note.isTrashed === true) {
    build.remark(at, 'row-left-out', { reason: 'deleted' })
    return
  }
  const microseconds = (name: string) => storedInstant(Math.floor(Number(note[name]) / 1000))
  const attachments = objectsIn(note.attachments).map(({ filePath }) => textIn(filePath))
  for (const name of attachments) build.remark(at, 'attachment-left-out', { name })
  const boxes = objectsIn(note.listContent).map(
    (item) =>
      `- [${item.isChecked === true ? 'x' : ' '}] ${textIn(item.text).replace(/(?<!\s)\s*\n\s*/g, ' ')}`,
  )
  const links = objectsIn(note.annotations).flatMap(({ url, title: name }) => {
    const address = textIn(url)
    return address === '' || text.includes(address)
      ? []
      : [textIn(name) ? `${textIn(name)}: ${address}` : address]
  })
  const parts = [
    text,
    boxes.join('\n'),
    links.join('\n'),
    attachments.map((name) => `Attachment: ${name}`).join('\n'),
  ]
  build.addNote({
    ...{ row: at, title, text: parts.filter((part) => part.trim() !== '').join('\n\n') },
    tags: [
      ...objectsIn(note.labels).map(({ name }) => textIn(name)),
      ...(note.isArchived === true ? ['archived'] : []),
    ],
    pinned: note.isPinned === true,
    createdAt: microseconds('createdTimestampUsec'),
    changedAt: microseconds('userEditedTimestampUsec'),
  })
}
