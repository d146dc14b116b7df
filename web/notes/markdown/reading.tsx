import type { SyntaxNode, Tree } from '@lezer/common'
import { createElement, Fragment, memo, type ReactNode, useMemo } from 'react'
import { partsOf } from '#contract/text-parts.ts'
import { addressOf } from './note-address.ts'
import { type ReadingContext, tickCopies } from './reading-link.tsx'
import {
  childrenOf,
  deepest,
  inline,
  linkedText,
  marks,
  type TextContext,
  writtenText,
} from './reading-text.tsx'
import { alignmentOf, cellsOf } from './table-cells.ts'

type NodeProps = { node: SyntaxNode; context: TextContext }

/** The blocks of a note as React elements. Nothing becomes HTML as a string, and embedded HTML stays text. */
export function Reading({ tree, context }: { tree: Tree; context: ReadingContext }) {
  const parts = useMemo(() => [...partsOf(context.text)], [context.text])
  const shown = { ...context, parts }
  return (
    <div className="reading measure" dir="auto">
      {childrenOf(tree.topNode).map((node, index) => (
        <Fragment key={node.from}>
          {context.hasBlankLines && <BlankLines node={node} context={shown} />}
          {index === 0 && node.name === 'Paragraph' ? (
            <TitleBlock node={node} context={shown} />
          ) : (
            <Block node={node} context={shown} depth={0} />
          )}
        </Fragment>
      ))}
    </div>
  )
}

/** The lines before a block that have no text, which the editor shows. */
function BlankLines({ node: { from, prevSibling }, context }: NodeProps) {
  const before = context.text.slice(prevSibling?.to ?? 0, from).split('\n')
  return (
    <div className="reading-blank">{'\n'.repeat(Math.max(0, before.length - (prevSibling ? 2 : 1)))}</div>
  )
}

/** The first line of a note is its title, also without a mark. */
function TitleBlock({ node, context }: NodeProps) {
  const lineBreak = context.text.indexOf('\n', node.from)
  const lineEnd = lineBreak < 0 || lineBreak >= node.to ? node.to : lineBreak
  // A link or emphasis that continues on the next line stays whole.
  const end = childrenOf(node).find(({ from, to }) => from < lineEnd && to > lineEnd)?.to ?? lineEnd
  return (
    <>
      <h2 dir="auto">{inline(node, context, 0, node.from, end)}</h2>
      {end < node.to && <p dir="auto">{inline(node, context, 0, end)}</p>}
    </>
  )
}

/** A component, so that React can yield between the blocks of a long note and the items of a long list. */
const Block = memo(({ node, context, depth }: NodeProps & { depth: number }) => block(node, context, depth))

function block(node: SyntaxNode, context: TextContext, depth: number): ReactNode {
  if (depth > deepest) return <p>{linkedText(context, node.from, node.to)}</p>
  const level = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name)?.[1]
  // The title of the note is the first heading.
  if (level)
    return createElement(`h${Math.min(Number(level) + 1, 6)}`, { dir: 'auto' }, inline(node, context, depth))
  const blocks = () =>
    childrenOf(node).map((child) => (
      <Block key={child.from} node={child} context={context} depth={depth + 1} />
    ))
  switch (node.name) {
    case 'Paragraph':
      return <p dir={isLeading(node) ? undefined : 'auto'}>{inline(node, context, depth)}</p>
    case 'Blockquote':
      return <blockquote dir="auto">{blocks()}</blockquote>
    case 'BulletList':
      return <ul>{blocks()}</ul>
    case 'OrderedList':
      return <ol start={Number.parseInt(writtenText(node, context), 10) || 0}>{blocks()}</ol>
    case 'ListItem':
      return (
        <li dir="auto" data-task={node.getChild('Task') !== null || undefined}>
          {blocks()}
        </li>
      )
    case 'Task':
      return <TaskLine node={node} context={context} depth={depth} />
    case 'CodeBlock':
    case 'FencedCode':
      return <Code node={node} context={context} />
    case 'HorizontalRule':
      return <hr />
    case 'Table':
      return <NoteTable node={node} context={context} />
    default:
      return marks.has(node.name) ? null : (
        <p className="reading-plain">{linkedText(context, node.from, node.to)}</p>
      )
  }
}

/** Whether a link to a known task follows the mark of a checkbox. */
function isTaskLink({ to, nextSibling: next }: SyntaxNode, context: TextContext): boolean {
  const url = next?.name === 'Link' ? next.getChild('URL') : null
  if (!url || context.text.slice(to, next?.from).trim() !== '') return false
  const address = addressOf(writtenText(url, context))
  const item = address?.kind === 'task' ? context.itemOf(address) : undefined
  return item !== undefined && !('gone' in item)
}

/** Whether a paragraph determines the side of the mark of its item or the bar of its quote. */
const isLeading = ({ prevSibling }: SyntaxNode) => /^(?:List|Quote)Mark$/.test(prevSibling?.name ?? '')

function TaskLine({ node, context, depth }: NodeProps & { depth: number }) {
  const marker = node.getChild('TaskMarker')
  const label = inline(node, context, depth, marker?.to)
  // A line has either a checkbox or the ring of a linked task.
  if (!marker || isTaskLink(marker, context)) return <p>{label}</p>
  const { onTick } = context
  const isTicked = /x/i.test(context.text.slice(marker.from, marker.to))
  return (
    <label>
      <input
        type="checkbox"
        ref={tickCopies(isTicked)}
        checked={isTicked}
        disabled={!onTick}
        onChange={() => onTick?.(marker.from)}
      />
      <span>{label}</span>
    </label>
  )
}

function NoteTable({ node, context }: NodeProps) {
  const rows = [...node.getChildren('TableHeader'), ...node.getChildren('TableRow')]
  const delimiter = node.getChild('TableDelimiter')
  const alignments =
    delimiter && cellsOf(writtenText(delimiter, context)).map(({ text }) => alignmentOf(text))
  return (
    // Focusable, so that the keyboard can scroll a wide table.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="reading-table" tabIndex={0} aria-label="Table">
      <table>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.from}>
              {nodesOfCells(row).map((cell, column) =>
                createElement(
                  index === 0 ? 'th' : 'td',
                  { key: column, dir: 'auto', 'data-align': alignments?.[column] },
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

/** The cells of a row. The tree has no nodes for empty ones. */
function nodesOfCells(row: SyntaxNode): (SyntaxNode | undefined)[] {
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

function Code({ node, context }: NodeProps) {
  const info = node.getChild('CodeInfo')
  const lines = node.getChildren('CodeText').map(({ from, to }) => linkedText(context, from, to))
  const isIndented = node.name === 'CodeBlock'
  return (
    <>
      {info && (
        <p className="reading-aside soft" dir="ltr">
          {linkedText(context, info.from, info.to)}
        </p>
      )}
      <pre dir="ltr">
        <code>{lines.flatMap((line, index) => (isIndented && index > 0 ? ['\n', ...line] : line))}</code>
      </pre>
    </>
  )
}
