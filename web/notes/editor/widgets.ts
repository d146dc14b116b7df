import { syntaxTree } from '@codemirror/language'
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
import type { LinkedItem, LinkedTitles } from '../linked-items.ts'
import { addressOf, type ItemAddress } from '../markdown/note-address.ts'
import { searchPathOf } from '../markdown/search-path.ts'
import { tickAt } from './markdown-editing.ts'

/** The title of a linked note or task has become known or has changed. */
export const linksChanged = StateEffect.define<null>()

type Uses = { linked: LinkedTitles; onOpen: (address: ItemAddress) => void }

/** Checkboxes that tick, and links that show the current titles of notes and tasks, in the visible part of the text. */
export const widgets = (uses: Uses) =>
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
        if (update.docChanged || update.viewportChanged || update.selectionSet || isParsed || isTold)
          this.decorations = decorate(update.view, uses)
      }
    },
    {
      decorations: ({ decorations }) => decorations,
      eventHandlers: {
        // Ctrl or Cmd with a click opens what is under the pointer; a click alone moves the caret there.
        mousedown: (event, view) => (event.ctrlKey || event.metaKey) && openAt(event, view, uses),
      },
    },
  )

const titleLine = Decoration.line({ class: 'note-title' })

function decorate(view: EditorView, uses: Uses): DecorationSet {
  const { state, visibleRanges } = view
  const found: Range<Decoration>[] = [titleLine.range(0)]
  for (const { from, to } of visibleRanges)
    syntaxTree(state).iterate({
      from,
      to,
      enter(ref) {
        if (ref.name === 'TaskMarker') found.push(checkboxAt(state, ref.from, ref.to))
        else if (ref.name === 'Link') found.push(...linkAt(state, ref.node, uses))
      },
    })
  return Decoration.set(found, true)
}

function checkboxAt(state: EditorState, from: number, to: number) {
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

/** The link as a widget, unless the selection touches it: then it is edited as it is written. */
function linkAt(state: EditorState, node: SyntaxNode, { linked, onOpen }: Uses): Range<Decoration>[] {
  const url = node.getChild('URL')
  const address = url ? addressOf(state.sliceDoc(url.from, url.to)) : undefined
  if (!address || address.kind === 'page') return []
  const isEdited = state.selection.ranges.some(({ from, to }) => to > node.from && from < node.to)
  const item = linked.get(address)
  if (isEdited || !item) return []
  const widget = new LinkedTitle(item, address, onOpen)
  return [Decoration.replace({ widget }).range(node.from, node.to)]
}

class LinkedTitle extends WidgetType {
  readonly item: LinkedItem
  readonly address: ItemAddress
  readonly onOpen: (address: ItemAddress) => void

  constructor(item: LinkedItem, address: ItemAddress, onOpen: (address: ItemAddress) => void) {
    super()
    this.item = item
    this.address = address
    this.onOpen = onOpen
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
    link.addEventListener('click', () => this.onOpen(this.address))
    return link
  }

  override ignoreEvent() {
    return true
  }
}

function openAt(event: MouseEvent, view: EditorView, { onOpen }: Uses): boolean {
  const position = view.posAtCoords({ x: event.clientX, y: event.clientY })
  if (position === null) return false
  let node: SyntaxNode | null = syntaxTree(view.state).resolveInner(position, 1)
  while (node && !['Link', 'URL', 'Autolink', 'Tag'].includes(node.name)) node = node.parent
  if (!node) return false
  event.preventDefault()
  const url = node.name === 'Link' ? node.getChild('URL') : node
  const text = url ? view.state.sliceDoc(url.from, url.to) : ''
  if (node.name === 'Tag') return open(searchPathOf(text))
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
