import { BlockBuilder } from './block-builder.ts'
import { type Block, bold, type Character, type Container, code, type PastedItem } from './blocks.ts'
import {
  beginsWithList,
  checkedIn,
  flowOf,
  isElement,
  isShown,
  isText,
  listLevelOf,
  listMarkOf,
  numberOf,
  orderOf,
  styleOf,
  tagNameOf,
} from './elements.ts'
import { inOneLine, withoutWholeBold } from './format-spans.ts'
import { cellsIn } from './html-tables.ts'
import { inside, type PastedList, type PastedPlace } from './place.ts'

const deepest = 300
/** Deeper list items and quotes are put on this level: the parser does not read more levels. */
const deepestPath = 9

/** Elements without a meaning in Markdown are read as their content. `plain`: the plain text, which has what replaces images. */
export function blocksOf(root: Node, plain: string): Block[] {
  const builder = new BlockBuilder()
  let orphans: PastedList | undefined
  const outside: PastedPlace = {
    path: [],
    list: undefined,
    formats: 0,
    link: undefined,
    lines: 'joined',
    depth: 0,
  }
  addContent(root, outside)
  builder.endParagraph([])
  return builder.blocks

  function addContent(parent: Node, place: PastedPlace) {
    for (const child of parent.childNodes) add(child, { ...place, depth: place.depth + 1 })
  }

  function add(node: Node, place: PastedPlace) {
    if (node.nodeType === 3) addText(node.nodeValue, place)
    else if (!isElement(node)) return
    else if (place.depth > deepest) addText(node.textContent, place)
    else if (isShown(node)) addElement(node, inside(node, place))
  }

  function addText(text: string | null, { formats, link, lines }: PastedPlace) {
    builder.add(text ?? '', { formats, link }, lines !== 'joined')
  }

  function addElement(element: Element, place: PastedPlace) {
    const checked = checkedIn(element)
    const name = tagNameOf(element)
    if (checked !== undefined && name !== 'li') addCheckbox(checked, place)
    const [, heading] = /^h([1-6])$/.exec(name) ?? []
    if (heading) return addHeading(element, place, Number(heading))
    const level = listLevelOf(element)
    if (level) return addLeveledItem(element, place, level)
    switch (name) {
      case 'br':
        return builder.addBreak()
      case 'img':
        return addImage(element, place)
      case 'hr':
        builder.endParagraph(place.path)
        return builder.addBlock({ kind: 'rule', path: place.path })
      case 'pre':
        return addCode(element, place)
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
        return addList(element, place)
      case 'li':
        return addItem(element, place)
      case 'blockquote':
        return addInside(element, place, { kind: 'quote' })
      case 'table':
        return addTable(element, place)
    }
    if (isCodeOfEvernote(element)) return addCode(element, place)
    const flow = flowOf(element)
    if (flow === 'paragraph') builder.endParagraph(place.path)
    if (flow === 'line') builder.endLine(place.path)
    addContent(element, place)
    if (flow === 'paragraph') builder.endParagraph(place.path)
    if (flow === 'line') builder.endLine(place.path)
  }

  function addImage(element: Element, { formats, link }: PastedPlace) {
    const replacement = element.getAttribute('alt')?.trim()
    if (replacement && plain.includes(replacement)) builder.add(replacement, { formats, link }, false)
  }

  function addCode(element: Element, { path }: PastedPlace) {
    builder.endParagraph(path)
    const text = linesOf(element).replace(/^\n|(?<!\n)\n+$/g, '')
    const inner = [...element.childNodes].filter(isElement)[0]
    const names = `${element.getAttribute('class') ?? ''} ${inner?.getAttribute('class') ?? ''}`
    const [, named] = /(?:^|\s)lang(?:uage)?-([\w+#-]+)/.exec(names) ?? []
    const language = named ?? /^[\w+#-]*$/.exec(styleOf(element, '--en-codeblocklanguage'))?.[0] ?? ''
    if (text.trim()) builder.addBlock({ kind: 'code', text, language, path })
  }

  function addHeading(element: Element, place: PastedPlace, level: number) {
    builder.endParagraph(place.path)
    addText(`${listMarkOf(element)} `, place)
    addContent(element, { ...place, formats: place.formats & ~bold })
    builder.endParagraph(place.path, (text) => ({
      kind: 'heading',
      level,
      text: inOneLine(withoutWholeBold(text)),
    }))
  }

  /** A list directly within a list belongs to the previous item. */
  function addList(element: Element, place: PastedPlace) {
    const around = place.list?.last ? joined(place.list.path, place.list.last) : place.path
    builder.endParagraph(place.path)
    const list: PastedList = {
      isOrdered: tagNameOf(element) === 'ol',
      next: numberOf(element.getAttribute('start')),
      last: undefined,
      path: around,
    }
    addContent(element, { ...place, path: around, list })
    builder.endParagraph(around)
  }

  function addItem(element: Element, place: PastedPlace) {
    const list = place.list ?? listOfOrphans(place.path)
    builder.endParagraph(place.path)
    // An item that begins with a list is only a level.
    if (beginsWithList(element)) return addContent(element, { ...place, list })
    if (element.hasAttribute('value')) list.next = numberOf(element.getAttribute('value'))
    const mark = list.isOrdered ? `${list.next++}. ` : '- '
    const item: PastedItem = { kind: 'item', mark, list, checked: checkedIn(element) }
    list.last = item
    addInside(element, { ...place, path: list.path }, item)
  }

  /** Successive items without a list are one list. */
  function listOfOrphans(path: Container[]): PastedList {
    const before = builder.blocks.at(-1)?.path[path.length]
    if (!orphans || before?.kind !== 'item' || before.list !== orphans)
      orphans = { isOrdered: false, next: 1, last: undefined, path }
    return orphans
  }

  /** A paragraph of Word, or an item of Word's web version, with a level instead of a list. */
  function addLeveledItem(element: Element, place: PastedPlace, level: number) {
    builder.endParagraph(place.path)
    const written = listMarkOf(element)
    const number = orderOf(written, place.list)
    const levels = builder.levels.slice(0, level)
    const before = levels[level - 1]
    const around = levels.slice(0, level - 1)
    const next = before ? Number.parseInt(before.mark, 10) + 1 : 0
    const mark = number === undefined ? '- ' : `${next || number || 1}. `
    const isSame = before !== undefined && Number.isNaN(next) === (number === undefined)
    const item: PastedItem = {
      kind: 'item',
      mark,
      list: isSame ? before.list : {},
      checked: checkedIn(element),
    }
    addInside(
      element,
      { ...place, path: around.reduce(joined, place.path) },
      item,
      isText(written) ? written : '',
    )
    builder.levels = [...around, item]
  }

  function addInside(element: Element, place: PastedPlace, container: Container, mark = '') {
    builder.endParagraph(place.path)
    const path = joined(place.path, container)
    addText(`${mark} `, place)
    addContent(element, { ...place, path, list: undefined })
    builder.endParagraph(path)
  }

  function addTable(element: Element, place: PastedPlace) {
    builder.endParagraph(place.path)
    const rows = cellsIn(element)
    if (!rows) {
      addContent(element, { ...place, list: undefined })
      return builder.endParagraph(place.path)
    }
    for (const child of element.childNodes) if (tagNameOf(child) === 'caption') add(child, place)
    builder.endParagraph(place.path)
    const texts = rows.map((cells) => cells.map((cell) => (cell ? cellText(cell, plain) : [])))
    if (texts.flat(2).length > 0) builder.addBlock({ kind: 'table', rows: texts, path: place.path })
  }

  /** A checkbox at the beginning of an item or a line, which becomes an item. Elsewhere it is text. */
  function addCheckbox(checked: boolean, place: PastedPlace) {
    const item = place.path.at(-1)
    const isEmpty = builder.isAtLineStart && !builder.blocks.at(-1)?.path.includes(item as PastedItem)
    if (item?.kind === 'item' && isEmpty) item.checked ??= checked
    else if (builder.isAtLineStart) {
      builder.endParagraph(place.path)
      builder.addTask(checked)
    } else addText(checked ? ' [x] ' : ' [ ] ', place)
  }
}

const joined = (path: Container[], container: Container): Container[] =>
  path.length < deepestPath ? [...path, container] : [...path.slice(0, -1), container]

const isCodeOfEvernote = (element: Element) =>
  ['-en-codeblock', '--en-codeblock'].some((property) => styleOf(element, property) === 'true')

/** The text of preformatted code. Lines may be elements. */
function linesOf(node: Node): string {
  if (node.nodeType === 3) return node.nodeValue ?? ''
  if (tagNameOf(node) === 'br') return '\n'
  if (isElement(node) && !isShown(node)) return ''
  const text = [...node.childNodes].map(linesOf).join('')
  return tagNameOf(node) === 'div' && !text.endsWith('\n') ? `${text}\n` : text
}

function cellText(cell: Element, plain: string): Character[] {
  const text = blocksOf(cell, plain).flatMap((block): Character[] => {
    const item = block.path.at(-1)
    const box = item?.kind === 'item' && item.checked !== undefined ? (item.checked ? '[x] ' : '[ ] ') : ''
    const plainly = (units: string, formats = 0) => units.split('').map((unit) => ({ unit, formats }))
    if (block.kind === 'rule' || block.kind === 'table') return []
    const words = block.kind === 'code' ? plainly(block.text, code) : block.text
    return [...plainly(` ${box}`), ...words]
  })
  const line = inOneLine(text.slice(1))
  return tagNameOf(cell) === 'th' ? withoutWholeBold(line) : line
}
