import type { Block, Character, Container, PastedItem } from './blocks.ts'

/** Longer paragraphs end at their next line break, because the parser does not read long ones. */
const longParagraph = 2000

type Style = Pick<Character, 'formats' | 'link'>

/** Collects blocks and the text of the current paragraph. Spaces are collapsed as in HTML. */
export class BlockBuilder {
  readonly blocks: Block[] = []
  /** The items of Word's lists around the current place. Word has paragraphs with levels instead of list elements. */
  levels: PastedItem[] = []
  private text: Character[] = []
  private task: PastedItem | undefined
  private readonly tasks = {}

  private get last() {
    return this.text.at(-1)?.unit ?? '\n'
  }

  get isAtLineStart() {
    return this.last === '\n'
  }

  add(text: string, style: Style, keepsLines: boolean) {
    const visible = text.replace(/[\u200B\uFEFF]/g, '')
    for (const [index, line] of (keepsLines ? visible.split(/\r?\n/) : [visible]).entries()) {
      if (index > 0) this.addBreak()
      for (const unit of line.replace(/[ \t\n\r\f\u00A0]+/g, ' ').split(''))
        if (unit !== ' ' || !/\s/.test(this.last)) this.text.push({ unit, ...style })
    }
  }

  addBreak() {
    while (this.last === ' ') this.text.pop()
    this.text.push({ unit: '\n', formats: 0 })
  }

  /** Ends a line. The next line does not belong to a checkbox. */
  endLine(path: Container[]) {
    if (this.isAtLineStart) return
    if (this.task) this.endParagraph(path)
    else this.addBreak()
  }

  addTask(checked: boolean) {
    this.task = { kind: 'item', mark: '- ', list: this.tasks, checked }
  }

  /** Ends the current paragraph. Empty lines divide it. */
  endParagraph(path: Container[], content: (text: Character[]) => Partial<Block> = asParagraph) {
    const around = this.task ? [...path, this.task] : path
    for (const text of paragraphsIn(this.text)) this.addBlock({ ...content(text), path: around } as Block)
    this.text = []
    this.task = undefined
  }

  addBlock(block: Block) {
    const [level] = this.levels.slice(-1)
    if (level && !block.path.includes(level)) this.levels = []
    this.blocks.push(block)
  }
}

const asParagraph = (text: Character[]) => ({ kind: 'paragraph' as const, text })

function paragraphsIn(text: Character[]): Character[][] {
  const paragraphs: Character[][] = []
  let paragraph: Character[] = []
  for (const [index, character] of text.entries()) {
    const isEnd = text[index + 1]?.unit === '\n' || paragraph.length > longParagraph
    if (character.unit !== '\n' || (paragraph.length > 0 && !isEnd)) paragraph.push(character)
    else {
      paragraphs.push(paragraph)
      paragraph = []
    }
  }
  return [...paragraphs, paragraph].map(trimmed).filter(({ length }) => length > 0)
}

function trimmed(text: Character[]): Character[] {
  const start = text.findIndex(({ unit }) => /\S/.test(unit))
  const end = text.findLastIndex(({ unit }) => /\S/.test(unit))
  return start < 0 ? [] : text.slice(start, end + 1)
}
