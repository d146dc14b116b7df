import { foldedRanges, syntaxTree } from '@codemirror/language'
import { type ChangeSpec, type EditorState, type Range, StateEffect, type Text } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { hrefOf } from '#contract/addresses.ts'
import { choiceAt, markOf } from '../../engine/notes/merge-lines.ts'
import { labelFor, offered } from '../../engine/verbs/verb.ts'
import { isTouched } from '../../ui/use-media.ts'
import { tagPath } from '../../views/views.ts'
import type { LinkedItem, LinkedItems } from '../markdown/linked-items.ts'
import { addressOf, type ItemAddress } from '../markdown/note-address.ts'
import { linkToTitled, titleIn } from '../markdown/note-titles.ts'
import { control, Drawn, Sign } from './drawn.ts'
import { foldControlAt } from './folded-sections.ts'
import { tickAt } from './markdown-editing.ts'
import { hasCaretInLine, shownMarks } from './shown-marks.ts'
import { nodeAround } from './syntax.ts'

export const linksChanged = StateEffect.define<null>()

export type WidgetUses = {
  linked: LinkedItems
  onOpen: (address: ItemAddress) => void
  onTickTask: (address: ItemAddress, done: boolean) => unknown
  onWriteNote: (title: string) => string
}

export const widgets = (uses: WidgetUses) =>
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      constructor(view: EditorView) {
        this.decorations = decorate(view, uses)
      }
      update(update: ViewUpdate) {
        const isParsed = syntaxTree(update.startState) !== syntaxTree(update.state)
        const isTold = update.transactions.some(({ effects }) =>
          effects.some((effect) => effect.is(linksChanged)),
        )
        if (
          update.docChanged ||
          update.viewportChanged ||
          update.selectionSet ||
          update.focusChanged ||
          isParsed ||
          foldedRanges(update.startState) !== foldedRanges(update.state) ||
          isTold
        )
          this.decorations = decorate(update.view, uses)
      }
    },
    {
      decorations: ({ decorations }) => decorations,
      eventHandlers: {
        // Ctrl or Cmd with a click opens a link. A click alone moves the caret.
        mousedown: (event, view) => openAt(event, view, uses),
      },
    },
  )

const titleLine = Decoration.line({ class: 'note-title' })
/** The mark of a line is on the side where its words begin. */
const ownDirection = Decoration.line({ attributes: { dir: 'auto' } })

function decorate(view: EditorView, uses: WidgetUses): DecorationSet {
  const { state, visibleRanges } = view
  const found: Range<Decoration>[] = [titleLine.range(0)]
  for (const { from, to } of visibleRanges) {
    for (let start = from; start <= to; ) {
      const line = state.doc.lineAt(start)
      found.push(ownDirection.range(line.from))
      if (markOf(line.text)) found.push(useThisOne.range(line.to))
      start = line.to + 1
    }
    syntaxTree(state).iterate({
      from,
      to,
      enter(ref) {
        if (ref.name === 'TaskMarker') found.push(checkboxAt(state, ref.node, uses))
        else if (ref.name === 'NoteTitle') found.push(...writtenTitleAt(state, ref.node, uses))
        else found.push(...(linkedItemAt(state, ref.node, uses) ?? shownMarks(view, ref.node)))
        if (ref.name.includes('Heading')) found.push(...foldControlAt(state, ref.node))
      },
    })
  }
  return Decoration.set(found, true)
}

/** The button of a line that was edited on two devices. It keeps this version and removes the others. */
const useThisOne = Decoration.widget({
  widget: new Drawn('use this one', (view) =>
    control('button', { className: 'note-choice', textContent: 'Use this one' }, (button) =>
      view.dispatch({ changes: chosen(view.state.doc, view.posAtDOM(button)), userEvent: 'input' }),
    ),
  ),
  side: 1,
})

function chosen(doc: Text, position: number): ChangeSpec {
  const lineAt = (number: number) => (number >= 1 && number <= doc.lines ? doc.line(number).text : undefined)
  const { first, last, line } = choiceAt(doc.lineAt(position).number, lineAt)
  return { from: doc.line(first).from, to: doc.line(last).to, insert: line }
}

/** A checkbox, unless the ring of a linked task replaces it. */
function checkboxAt(state: EditorState, { from, to, nextSibling: next }: SyntaxNode, { linked }: WidgetUses) {
  if (next?.name === 'Link' && state.sliceDoc(to, next.from).trim() === '') {
    const link = shownLink(state, next, linked)
    if (link?.address.kind === 'task' && !('gone' in link.item))
      return Decoration.replace({}).range(from, next.from)
  }
  const checked = state.sliceDoc(from + 1, from + 2) !== ' '
  const ariaLabel = `Tick ${state.sliceDoc(to, state.doc.lineAt(to).to).trim()}`
  const widget = new Drawn(`checkbox ${checked} ${ariaLabel}`, (view) =>
    control('input', { checked, ariaLabel }, (box) =>
      view.dispatch({ changes: tickAt(view.state, view.posAtDOM(box) + 1), userEvent: 'input' }),
    ),
  )
  return Decoration.replace({ widget }).range(from, to)
}

/** The known item of a link. A selected link has none, because it is shown as written for editing. */
function shownLink(state: EditorState, node: SyntaxNode, linked: LinkedItems) {
  const url = node.getChild('URL')
  const address = url ? addressOf(state.sliceDoc(url.from, url.to)) : undefined
  if (!address || address.kind === 'page') return
  const hasCaretInLine = state.selection.ranges.some(({ from, to }) => to > node.from && from < node.to)
  const item = linked.get(address)
  return hasCaretInLine || !item ? undefined : { address, item }
}

function linkedItemAt(state: EditorState, node: SyntaxNode, { linked, ...uses }: WidgetUses) {
  const link = node.name === 'Link' ? shownLink(state, node, linked) : undefined
  if (!link) return undefined
  const { address, item } = link
  // A press on a link to a missing item moves the caret there.
  const widget =
    'gone' in item
      ? new Sign('gone-link', `${labelOf(state, node)} (${item.gone})`)
      : new Drawn(`${address.kind} ${address.id} ${item.isDone} ${item.title}`, () =>
          drawLink(item, address, uses),
        )
  return [Decoration.replace({ widget }).range(node.from, node.to)]
}

/** A press on a title in brackets writes a missing note, and replaces the title by a link that follows renamings. */
function writtenTitleAt(state: EditorState, node: SyntaxNode, { linked, onOpen, onWriteNote }: WidgetUses) {
  const { from, to } = node
  if (state.selection.ranges.some((range) => range.to > from && range.from < to)) return []
  const title = titleIn(state.sliceDoc(from, to))
  const isThere = linked.idOfTitle(title) !== undefined
  const widget = new Drawn(`title ${isThere} ${title}`, (view) => {
    const hint = isThere ? '' : `Write the note “${title}”`
    return control('button', { className: 'note-item', textContent: title, title: hint }, (button) => {
      const start = view.posAtDOM(button)
      const id = linked.idOfTitle(title) ?? onWriteNote(title)
      view.dispatch({
        changes: { from: start, to: start + (to - from), insert: linkToTitled(title, id) },
        userEvent: 'input.complete',
      })
      onOpen({ kind: 'note', id })
    })
  })
  return [Decoration.replace({ widget }).range(from, to)]
}

function labelOf(state: EditorState, node: SyntaxNode): string {
  const [opening, closing] = node.getChildren('LinkMark')
  return opening && closing ? state.sliceDoc(opening.to, closing.from).replace(/\\(.)/gu, '$1') : ''
}

type FoundItem = Exclude<LinkedItem, { gone: string }>

/** The title of an item. The ring of a task shows the answer of the server, not the press. */
function drawLink({ title, isDone }: FoundItem, address: ItemAddress, uses: Omit<WidgetUses, 'linked'>) {
  const link = control('button', { className: 'note-item', textContent: title }, () => uses.onOpen(address))
  Object.assign(link.dataset, { kind: address.kind, done: isDone })
  if (address.kind === 'note') return link
  const ariaLabel = labelFor(offered.complete, title)
  const ring = control('input', { className: 'linked-ring', checked: isDone, ariaLabel }, () =>
    uses.onTickTask(address, !isDone),
  )
  const shown = document.createElement('span')
  shown.append(ring, link)
  return shown
}

function openAt(event: MouseEvent, view: EditorView, { onOpen }: WidgetUses): boolean {
  const hasKey = event.ctrlKey || event.metaKey
  if (!hasKey && !isTouched()) return false
  const position = view.posAtCoords({ x: event.clientX, y: event.clientY })
  // Without Ctrl, a finger opens links except on the edited line.
  if (position === null || (!hasKey && hasCaretInLine(view, position))) return false
  const names = ['Link', 'Image', 'URL', 'Autolink', ...(hasKey ? ['Tag'] : [])]
  const node = nodeAround(syntaxTree(view.state).resolveInner(position, 1), ...names)
  if (!node) return false
  event.preventDefault()
  const url = node.getChild('URL') ?? node
  const text = view.state.sliceDoc(url.from, url.to)
  if (node.name === 'Tag') return open(tagPath(text))
  const isDestination = ['Link', 'Image'].includes(url.parent?.name ?? '')
  const href = isDestination ? undefined : hrefOf(text)
  if (href !== undefined) return open(href)
  const address = addressOf(text)
  if (!address) return false
  if (address.kind === 'page') return open(address.href)
  onOpen(address)
  return true
}

function open(href: string): boolean {
  window.open(href, '_blank', 'noreferrer')
  return true
}
