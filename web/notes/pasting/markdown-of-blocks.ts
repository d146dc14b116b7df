import { slice } from '../markdown/parse-slowly.ts'
import { type Block, type Character, type Container, code, type PastedItem, unformatted } from './blocks.ts'
import { inlineMarkdown } from './inline-markdown.ts'

export async function markdownOf(blocks: Block[]): Promise<string> {
  let begun = new Set<Container>()
  let end = performance.now() + slice
  let markdown = ''
  let before: Block | undefined
  for (const written of blocks) {
    const block = withCheckbox(written, begun)
    if (before) markdown += separator(before, block, begun)
    const [first = '', ...others] = linesOf(block, begun)
    markdown += prefixOf(block.path, begun) + first
    // A block outside of a container ends it: what is inside after that begins it again.
    begun = new Set(block.path)
    const indentation = prefixOf(block.path, begun)
    for (const line of others) markdown += `\n${(indentation + line).trimEnd()}`
    before = block
    if (performance.now() > end) {
      await new Promise((resolve) => setTimeout(resolve))
      end = performance.now() + slice
    }
  }
  return markdown
}

/** `[ ] ` at the beginning of an item is a checkbox. */
function withCheckbox(block: Block, begun: Set<Container>): Block {
  const item = block.path.at(-1)
  if (item?.kind !== 'item' || item.checked !== undefined || begun.has(item) || block.kind !== 'paragraph')
    return block
  const [box, state] = /^\[([ xX])\] /.exec(unformatted(block.text.slice(0, 4))) ?? []
  if (box === undefined) return block
  item.checked = state !== ' '
  return { ...block, text: block.text.slice(box.length) }
}

/** The marks of items that begin here, and spaces for the others. */
function prefixOf(path: Container[], begun: Set<Container>): string {
  return path
    .map((container) => {
      if (container.kind === 'quote') return '> '
      return begun.has(container) ? ' '.repeat(container.mark.length) : container.mark
    })
    .join('')
}

/** No empty line between the items of a list. */
function separator(before: Block, block: Block, begun: Set<Container>): string {
  let depth = 0
  while (depth < block.path.length && block.path[depth] === before.path[depth]) depth++
  const around = block.path.slice(0, depth)
  const [next, previous] = [block.path[depth], before.path[depth]]
  const isNextItem = next?.kind === 'item' && previous?.kind === 'item' && next.list === previous.list
  const isFirstBelow =
    next?.kind === 'item' &&
    previous === undefined &&
    around.at(-1)?.kind === 'item' &&
    before.kind === 'paragraph' &&
    /^(?:-|1\.) /.test(next.mark)
  return isNextItem || isFirstBelow ? '\n' : `\n${prefixOf(around, begun).trimEnd()}\n`
}

function linesOf(block: Block, begun: Set<Container>): string[] {
  const item = block.path.at(-1)
  const isInItem = item?.kind === 'item'
  const box = isInItem && !begun.has(item) ? boxOf(item) : ''
  const first = prefixOf(block.path, new Set())
  const others = prefixOf(block.path, new Set(block.path))
  switch (block.kind) {
    case 'paragraph':
      return (box + inlineMarkdown(block.text, { first: first + box, others })).split('\n')
    case 'heading': {
      const mark = box || `${'#'.repeat(block.level)} `
      return [mark + inlineMarkdown(block.text, { first: first + mark })]
    }
    case 'code': {
      const fences = block.text.match(/`{3,}/g) ?? []
      const fence = '`'.repeat(fences.reduce((longest, { length }) => Math.max(longest, length + 1), 3))
      return [fence + block.language, ...block.text.split(/\r?\n/), fence]
    }
    case 'table':
      return tableLines(block.rows)
    case 'rule':
      return ['---']
  }
}

const boxOf = ({ checked }: PastedItem) => (checked === undefined ? '' : checked ? '[x] ' : '[ ] ')

function tableLines(rows: Character[][][]): string[] {
  const [head = '', ...others] = rows.map((cells) => `| ${cells.map(cellMarkdown).join(' | ')} |`)
  return [head, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`, ...others]
}

/** A bar would end the cell, also in code. Brackets and backticks could pair with those of another cell. */
function cellMarkdown(text: Character[]): string {
  const hasBar = (character: Character) => character.unit === '|'
  const formats = text.some(hasBar) ? ~code : ~0
  return inlineMarkdown(
    text.map((character) => ({
      ...character,
      formats: character.formats & formats,
      isEscaped: /[|`[\]]/.test(character.unit),
    })),
  )
}
