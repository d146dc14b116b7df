import { foldedRanges, syntaxTree } from '@codemirror/language'
import { type EditorState, type Range, StateEffect } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { hrefOf } from '#contract/addresses.ts'
import { isTouched } from '../../ui/use-media.ts'
import { tagPath } from '../../views/views.ts'
import type { LinkedItem, LinkedTitles } from '../markdown/linked-items.ts'
import { addressOf, type ItemAddress } from '../markdown/note-address.ts'
import { markOf } from '../two-versions.ts'
import { foldControlAt } from './folded-sections.ts'
import { tickAt } from './markdown-editing.ts'
import { isEdited, shownMarks } from './shown-marks.ts'
import { useThisOne } from './use-this-one.ts'

/** The title of a linked note or task has become known or has changed. */
export const linksChanged = StateEffect.define<null>()

export type WidgetUses = {
  linked: LinkedTitles
  onOpen: (address: ItemAddress) => void
  onTickTask: (address: ItemAddress, done: boolean) => unknown
}

/** Checkboxes that tick, and links that show the current titles of notes and tasks, in the visible part of the text. */
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
        // Ctrl or Cmd with a click opens the link under the pointer; a click alone moves the caret there.
        mousedown: (event, view) => openAt(event, view, uses),
      },
    },
  )

const titleLine = Decoration.line({ class: 'note-title' })
/** A line begins, with its mark, on the side on which its words do. */
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
        else found.push(...(linkedItemAt(state, ref.node, uses) ?? shownMarks(view, ref.node)))
        if (ref.name.includes('Heading')) found.push(...foldControlAt(state, ref.node))
      },
    })
  }
  return Decoration.set(found, true)
}

/** A checkbox, unless the ring of a linked task follows: the line has one of them. */
function checkboxAt(state: EditorState, { from, to, nextSibling: next }: SyntaxNode, { linked }: WidgetUses) {
  if (next?.name === 'Link' && state.sliceDoc(to, next.from).trim() === '') {
    const link = shownLink(state, next, linked)
    if (link?.address.kind === 'task' && !('gone' in link.item))
      return Decoration.replace({}).range(from, next.from)
  }
  const isTicked = state.sliceDoc(from + 1, from + 2) !== ' '
  const label = state.sliceDoc(to, state.doc.lineAt(to).to).trim()
  return Decoration.replace({ widget: new Checkbox(isTicked, label) }).range(from, to)
}

class Checkbox extends WidgetType {
  readonly isTicked: boolean
  readonly label: string

  constructor(isTicked: boolean, label: string) {
    super()
    this.isTicked = isTicked
    this.label = label
  }

  override eq(other: Checkbox) {
    return other.isTicked === this.isTicked && other.label === this.label
  }

  override toDOM(view: EditorView) {
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.checked = this.isTicked
    box.tabIndex = -1
    box.setAttribute('aria-label', `Tick ${this.label}`)
    // The focus stays in the text.
    box.addEventListener('mousedown', (event) => event.preventDefault())
    box.addEventListener('click', (event) => {
      event.preventDefault()
      view.dispatch({ changes: tickAt(view.state, view.posAtDOM(box) + 1), userEvent: 'input' })
    })
    return box
  }

  override ignoreEvent() {
    return true
  }
}

/** The known item of a link. A link that the selection touches has none, because it is edited as it is written. */
function shownLink(state: EditorState, node: SyntaxNode, linked: LinkedTitles) {
  const url = node.getChild('URL')
  const address = url ? addressOf(state.sliceDoc(url.from, url.to)) : undefined
  if (!address || address.kind === 'page') return
  const isEdited = state.selection.ranges.some(({ from, to }) => to > node.from && from < node.to)
  const item = linked.get(address)
  return isEdited || !item ? undefined : { address, item }
}

/** The link to an item as a widget. */
function linkedItemAt(state: EditorState, node: SyntaxNode, { linked, ...uses }: WidgetUses) {
  const link = node.name === 'Link' ? shownLink(state, node, linked) : undefined
  if (!link) return undefined
  const { address, item } = link
  const widget =
    'gone' in item
      ? new GoneLink(`${labelOf(state, node)} (${item.gone})`)
      : new LinkedTitle(item, address, uses)
  return [Decoration.replace({ widget }).range(node.from, node.to)]
}

/** The text of a link. */
function labelOf(state: EditorState, node: SyntaxNode): string {
  const [opening, closing] = node.getChildren('LinkMark')
  return opening && closing ? state.sliceDoc(opening.to, closing.from).replace(/\\(.)/gu, '$1') : ''
}

/** A link to an item that was deleted or does not exist. A click on it moves the caret to the text of the link. */
class GoneLink extends WidgetType {
  readonly text: string

  constructor(text: string) {
    super()
    this.text = text
  }

  override eq({ text }: GoneLink) {
    return text === this.text
  }

  override toDOM() {
    const shown = document.createElement('span')
    shown.className = 'gone-link'
    shown.textContent = this.text
    return shown
  }

  override ignoreEvent() {
    return false
  }
}

type FoundItem = Exclude<LinkedItem, { gone: string }>

class LinkedTitle extends WidgetType {
  readonly item: FoundItem
  readonly address: ItemAddress
  readonly uses: Omit<WidgetUses, 'linked'>

  constructor(item: FoundItem, address: ItemAddress, uses: Omit<WidgetUses, 'linked'>) {
    super()
    this.item = item
    this.address = address
    this.uses = uses
  }

  override eq({ item, address }: LinkedTitle) {
    return (
      item.title === this.item.title && item.isDone === this.item.isDone && address.id === this.address.id
    )
  }

  override toDOM() {
    const link = document.createElement('button')
    link.type = 'button'
    link.className = 'note-item'
    link.dataset.kind = this.address.kind
    link.dataset.done = String(this.item.isDone)
    link.tabIndex = -1
    link.textContent = this.item.title
    link.addEventListener('mousedown', (event) => event.preventDefault())
    link.addEventListener('click', () => this.uses.onOpen(this.address))
    if (this.address.kind === 'note') return link
    const shown = document.createElement('span')
    shown.append(this.ring(), link)
    return shown
  }

  /** The ring of a task: it shows the answer of the server, not the press. */
  ring() {
    const ring = document.createElement('input')
    ring.type = 'checkbox'
    ring.className = 'linked-ring'
    ring.checked = this.item.isDone
    ring.tabIndex = -1
    ring.setAttribute('aria-label', `Complete ${this.item.title}`)
    ring.addEventListener('mousedown', (event) => event.preventDefault())
    ring.addEventListener('click', (event) => {
      event.preventDefault()
      this.uses.onTickTask(this.address, !this.item.isDone)
    })
    return ring
  }

  override ignoreEvent() {
    return true
  }
}

function openAt(event: MouseEvent, view: EditorView, { onOpen }: WidgetUses): boolean {
  const hasKey = event.ctrlKey || event.metaKey
  if (!hasKey && !isTouched()) return false
  const position = view.posAtCoords({ x: event.clientX, y: event.clientY })
  // A finger has no Ctrl: it opens links, except on the line that is being edited.
  if (position === null || (!hasKey && isEdited(view, position))) return false
  let node: SyntaxNode | null = syntaxTree(view.state).resolveInner(position, 1)
  const names = ['Link', 'Image', 'URL', 'Autolink', ...(hasKey ? ['Tag'] : [])]
  while (node && !names.includes(node.name)) node = node.parent
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
