import type { SyntaxNode, Tree } from '@lezer/common'
import { createElement, type JSX, memo, type ReactNode } from 'react'
import type { LinkedItem } from '../linked-items.ts'
import { notePath } from '../note-path.ts'
import { addressOf, type ItemAddress } from './note-address.ts'
import { searchPathOf } from './search-path.ts'

/** The text of a note, the items to which it links, and the handlers of its parts. */
type ReadingContext = {
  text: string
  /** The item to which a link leads; undefined if it is not known. */
  itemOf: (address: ItemAddress) => LinkedItem | undefined
  onOpen: (address: ItemAddress) => void
  /** Completes a linked task or brings it back. Without it, its ring cannot be changed. */
  onTickTask?: ((address: ItemAddress, done: boolean) => unknown) | undefined
  /** Ticks the checkbox whose `[ ]` is at this position. Without it, checkboxes cannot be changed. */
  onTick?: ((position: number) => void) | undefined
}

type Part = { node: SyntaxNode; context: ReadingContext }

/** Elements nested deeper than this are shown as the text that they are. */
const deepest = 40

/** The blocks of a note as React elements. Nothing of a note becomes HTML as a string, and embedded HTML stays text. */
export const Reading = ({ tree, context }: { tree: Tree; context: ReadingContext }) => (
  <div className="reading" dir="auto">
    {childrenOf(tree.topNode).map((node, index) =>
      index === 0 && node.name === 'Paragraph' ? (
        <TitleBlock key={node.from} node={node} context={context} />
      ) : (
        <Block key={node.from} node={node} context={context} />
      ),
    )}
  </div>
)

/** The first line of a note is its title, also without the mark of a heading. */
function TitleBlock({ node, context }: Part) {
  const lineBreak = context.text.indexOf('\n', node.from)
  const end = lineBreak < 0 || lineBreak >= node.to ? node.to : lineBreak
  return (
    <>
      <h2 dir="auto">{inline(node, context, 0, node.from, end)}</h2>
      {end < node.to && <p dir="auto">{inline(node, context, 0, end + 1)}</p>}
    </>
  )
}

/** A separate component, so that React can yield between the blocks of a long note. */
const Block = memo(({ node, context }: Part): ReactNode => block(node, context, 0))

function block(node: SyntaxNode, context: ReadingContext, depth: number): ReactNode {
  if (depth > deepest) return <p>{textOf(node, context)}</p>
  const level = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name)?.[1]
  // The note's title is the page's first heading.
  if (level)
    return createElement(`h${Math.min(Number(level) + 1, 6)}`, { dir: 'auto' }, inline(node, context, depth))
  const blocks = () =>
    childrenOf(node).map((child) => (
      <Nested key={child.from} node={child} context={context} depth={depth + 1} />
    ))
  switch (node.name) {
    case 'Paragraph':
      return <p dir={isLeading(node) ? undefined : 'auto'}>{inline(node, context, depth)}</p>
    case 'Blockquote':
      return <blockquote dir="auto">{blocks()}</blockquote>
    case 'BulletList':
      return <ul>{blocks()}</ul>
    case 'OrderedList':
      return <ol start={Number.parseInt(textOf(node, context), 10) || 0}>{blocks()}</ol>
    case 'ListItem':
      return (
        <li dir="auto" data-task={isTask(node) || undefined}>
          {blocks()}
        </li>
      )
    case 'Task':
      return <TaskLine node={node} context={context} depth={depth} />
    case 'CodeBlock':
    case 'FencedCode':
      return (
        <pre dir="ltr">
          <code>{codeOf(node, context)}</code>
        </pre>
      )
    case 'HorizontalRule':
      return <hr />
    case 'Table':
      return <NoteTable node={node} context={context} />
    case 'LinkReference':
      return null
    default:
      return marks.has(node.name) ? null : <p className="reading-plain">{textOf(node, context)}</p>
  }
}

/** A separate component for the same reason as `Block`: a list can be as long as a note. */
const Nested = memo(({ node, context, depth }: Part & { depth: number }) => block(node, context, depth))

/** Whether a link to a known task follows the mark of a checkbox. */
function isTaskLink({ to, nextSibling: next }: SyntaxNode, context: ReadingContext): boolean {
  const url = next?.name === 'Link' ? next.getChild('URL') : null
  if (!url || context.text.slice(to, next?.from).trim() !== '') return false
  const address = addressOf(textOf(url, context))
  const item = address?.kind === 'task' ? context.itemOf(address) : undefined
  return item !== undefined && !('gone' in item)
}

/** Whether a paragraph decides on which side the mark of its item or the bar of its quote stands. */
const isLeading = ({ prevSibling }: SyntaxNode) => /^(?:List|Quote)Mark$/.test(prevSibling?.name ?? '')

const isTask = (node: SyntaxNode) => node.getChild('Task') !== null

function TaskLine({ node, context, depth }: Part & { depth: number }) {
  const marker = node.getChild('TaskMarker')
  const label = inline(node, context, depth, marker?.to)
  // A line has one of them: the checkbox or the ring of a linked task.
  if (!marker || isTaskLink(marker, context)) return <p>{label}</p>
  const { onTick } = context
  return (
    <label>
      <input
        type="checkbox"
        checked={/x/i.test(context.text.slice(marker.from, marker.to))}
        disabled={!onTick}
        onChange={() => onTick?.(marker.from)}
      />
      <span>{label}</span>
    </label>
  )
}

function NoteTable({ node, context }: Part) {
  const rows = [...node.getChildren('TableHeader'), ...node.getChildren('TableRow')]
  const alignments = alignmentsOf(node, context)
  return (
    // Focusable, so that the keyboard can scroll a wide table.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="reading-table" tabIndex={0} aria-label="Table">
      <table>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.from}>
              {cellsOf(row).map((cell, column) =>
                createElement(
                  index === 0 ? 'th' : 'td',
                  { key: column, dir: 'auto', 'data-align': alignments[column] },
                  cell && inline(cell, context, 0),
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The cells of a row by column. The tree has no nodes for empty ones. */
function cellsOf(row: SyntaxNode): (SyntaxNode | undefined)[] {
  const cells: (SyntaxNode | undefined)[] = []
  let cell: SyntaxNode | undefined
  for (const child of childrenOf(row)) {
    if (child.name === 'TableCell') cell = child
    else if (child.from > row.from) {
      cells.push(cell)
      cell = undefined
    }
  }
  return cell ? [...cells, cell] : cells
}

/** `:--`, `:-:` and `--:` below the head of a column. */
function alignmentsOf(table: SyntaxNode, context: ReadingContext) {
  const line = table.getChild('TableDelimiter')
  const columns = line
    ? textOf(line, context)
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|')
    : []
  return columns.map((column) => {
    const mark = column.trim()
    if (mark.endsWith(':')) return mark.startsWith(':') ? 'center' : 'right'
    return mark.startsWith(':') ? 'left' : undefined
  })
}

/** Syntax that is not shown. */
const marks = new Set([
  ...['HeaderMark', 'QuoteMark', 'ListMark', 'LinkMark', 'EmphasisMark', 'CodeMark', 'CodeInfo', 'LinkTitle'],
  ...['LinkLabel', 'StrikethroughMark', 'TaskMarker', 'TableDelimiter'],
])

const wrappers: Record<string, keyof JSX.IntrinsicElements> = {
  Emphasis: 'em',
  StrongEmphasis: 'strong',
  Strikethrough: 'del',
  InlineCode: 'code',
}

/** The text of a node, with its inline Markdown rendered. */
function inline(
  node: SyntaxNode,
  context: ReadingContext,
  depth: number,
  from = node.from,
  to = node.to,
): ReactNode[] {
  if (depth > deepest) return [context.text.slice(from, to)]
  const parts: ReactNode[] = []
  let end = from
  const add = (next: number) => next > end && parts.push(context.text.slice(end, next))
  for (const child of childrenOf(node)) {
    if (child.from < end || child.from >= to) continue
    add(child.from)
    parts.push(inlinePart(child, context, depth))
    end = child.to
  }
  add(to)
  // The space between a mark and the text is part of the mark.
  if (typeof parts[0] === 'string') parts[0] = parts[0].trimStart()
  else if (parts[0] === null && typeof parts[1] === 'string') parts[1] = parts[1].trimStart()
  return parts
}

function inlinePart(node: SyntaxNode, context: ReadingContext, depth: number): ReactNode {
  if (marks.has(node.name)) return null
  const key = node.from
  const text = textOf(node, context)
  const wrapper = wrappers[node.name]
  if (wrapper) return createElement(wrapper, { key }, inline(node, context, depth + 1))
  switch (node.name) {
    case 'Link':
    case 'Image':
      return <NoteLink key={key} node={node} context={context} depth={depth} />
    case 'Autolink':
    case 'URL':
      return (
        <Destination key={key} destination={text} context={context}>
          {text.replace(/^<(.*)>$/, '$1')}
        </Destination>
      )
    case 'Tag':
      return <TagLink key={key} tag={text} />
    case 'Escape':
      return text.slice(1)
    case 'HardBreak':
      return <br key={key} />
    default:
      return text
  }
}

function NoteLink({ node, context, depth }: Part & { depth: number }) {
  const url = node.getChild('URL')
  const [opening, closing] = node.getChildren('LinkMark')
  const isText = !url || !opening || !closing
  if (isText) return textOf(node, context)
  const label = childrenOf(node).filter(({ from, to }) => from >= opening.to && to <= closing.from)
  const parts: ReactNode[] = []
  let end = opening.to
  for (const child of label) {
    parts.push(context.text.slice(end, child.from), inlinePart(child, context, depth + 1))
    end = child.to
  }
  parts.push(context.text.slice(end, closing.from))
  return (
    <Destination destination={textOf(url, context)} context={context}>
      {parts}
    </Destination>
  )
}

function Destination({
  destination,
  context,
  children,
}: {
  destination: string
  context: ReadingContext
  children: ReactNode
}) {
  const address = addressOf(destination)
  if (!address) return children
  if (address.kind === 'page')
    return (
      <a href={address.href} rel="noreferrer" target={/^mailto:/i.test(address.href) ? undefined : '_blank'}>
        {children}
      </a>
    )
  const item = context.itemOf(address)
  if (!item) return children
  if ('gone' in item)
    return (
      <span className="gone-link">
        {children} ({item.gone})
      </span>
    )
  const { title } = item
  if (address.kind === 'task')
    return (
      <>
        <input
          type="checkbox"
          className="linked-ring"
          aria-label={`Complete ${title}`}
          checked={item.isDone}
          disabled={!context.onTickTask}
          onChange={() => context.onTickTask?.(address, !item.isDone)}
        />
        <button type="button" className="link-button" onClick={() => context.onOpen(address)}>
          {title}
        </button>
      </>
    )
  return (
    <a
      href={notePath(address.id)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        context.onOpen(address)
      }}
    >
      {title}
    </a>
  )
}

const TagLink = ({ tag }: { tag: string }) => (
  <a className="note-tag" href={searchPathOf(tag)}>
    {tag}
  </a>
)

function codeOf(node: SyntaxNode, context: ReadingContext): string {
  return node
    .getChildren('CodeText')
    .map((code) => textOf(code, context))
    .join(node.name === 'CodeBlock' ? '\n' : '')
}

const textOf = ({ from, to }: SyntaxNode, { text }: ReadingContext) => text.slice(from, to)

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child)
  return children
}
