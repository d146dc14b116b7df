import { instantIn, storedInstant } from '../parsing/days.ts'
import { isObject, type JsonObject, objectIn, objectsIn, parseJson, textIn } from '../parsing/json.ts'
import { markdownInHtml } from '../parsing/plain-html.ts'
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
    for (const item of items) if (item.content_type === 'Note' && item.deleted !== true) await addNote(item)

    async function addNote({ uuid, content: said, created_at: created, updated_at: updated }: JsonObject) {
      const content = isObject(said) ? said : {}
      const [title, text] = [textIn(content.title), textIn(content.text)]
      const at = build.row({ file: path }, title || text || textIn(uuid))
      const data = isObject(content.appData) ? content.appData['org.standardnotes.sn'] : undefined
      const own = isObject(data) ? data : {}
      if (typeof said === 'string') build.remark(at, 'encrypted-note', {})
      else if (content.trashed === true) build.remark(at, 'row-left-out', { reason: 'deleted' })
      else
        build.addNote({
          ...{
            row: at,
            key: textIn(uuid) || undefined,
            title,
            text: await markdownOf(content.noteType, text, path),
          },
          tags: [...(tags.get(textIn(uuid)) ?? []), ...(own.archived === true ? ['archived'] : [])],
          pinned: own.pinned === true,
          createdAt: storedInstant(instantIn(textIn(created), 'UTC')),
          changedAt: storedInstant(instantIn(textIn(own.client_updated_at ?? updated), 'UTC')),
        })
    }
  },
}

/** A note of the editor Super is a tree of nodes (Lexical), one of the rich editors is HTML. */
async function markdownOf(type: unknown, text: string, file: string): Promise<string> {
  if (type === 'rich-text') return await markdownInHtml(text)
  if (type !== 'super' || !/^\s*\{/.test(text)) return text
  const { root } = objectIn(parseJson(text, file), 'root', { file })
  return isObject(root) ? await markdownInHtml(htmlOf(root, 0)) : text
}

/** Nodes that are deeper are left out. */
const deepest = 100
const empty = new Map([
  ['horizontalrule', '<hr>'],
  ['linebreak', '<br>'],
  ['snfile', '<img>'],
])
const elements = new Map([
  ...Object.entries({ paragraph: 'p', quote: 'blockquote', code: 'pre' }),
  ...Object.entries({ table: 'table', tablerow: 'tr', tablecell: 'td' }),
])
/** The elements of the bits of a format. */
const formats: [number, string][] = [
  [1, 'b'],
  [2, 'i'],
  [4, 's'],
  [16, 'code'],
]
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

function htmlOf(node: JsonObject, depth: number): string {
  const { type, children, text, format, tag, listType, url, checked } = node
  const within = (element: string, inner: string, attributes = '') =>
    `<${element}${attributes}>${inner}</${element}>`
  if (typeof text === 'string')
    return formats
      .filter(([bit]) => Number(format) & bit)
      .reduce((inner, [, element]) => within(element, inner), escaped(text))
  const whole = empty.get(textIn(type))
  if (whole !== undefined) return whole
  const inner =
    depth < deepest
      ? objectsIn(children)
          .map((child) => htmlOf(listType === 'check' ? { checked: false, ...child } : child, depth + 1))
          .join('')
      : ''
  if (type === 'heading' || type === 'list')
    return within(/^(h[1-6]|[ou]l)$/.exec(textIn(tag))?.[0] ?? 'p', inner)
  if (type === 'listitem')
    return within('li', inner, typeof checked === 'boolean' ? ` data-checked="${checked}"` : '')
  if (type === 'link' || type === 'autolink') return within('a', inner, ` href="${escaped(textIn(url))}"`)
  const element = elements.get(textIn(type))
  return element ? within(element, inner) : inner
}
