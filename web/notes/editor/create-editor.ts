import { defaultKeymap, history, historyField, historyKeymap, undo } from '@codemirror/commands'
import { defineLanguageFacet, foldState, Language, syntaxHighlighting } from '@codemirror/language'
import { openSearchPanel } from '@codemirror/search'
import { EditorSelection, EditorState, type EditorStateConfig } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { tagHighlighter, tags } from '@lezer/highlight'
import linkedCss from '../markdown/linked-item.css?inline'
import { noteParser } from '../markdown/note-parser.ts'
import { enterAtOnce, otherLayouts } from './dispatched-keys.ts'
import css from './editor.css?inline'
import { find, reveal } from './find.ts'
import { foldedSections, foldKeys } from './folded-sections.ts'
import { linkCompletion } from './link-completion.ts'
import { indentItems, typeMarks } from './list-keys.ts'
import { markdownKeys, pasteLinks } from './markdown-editing.ts'
import type { FieldOptions, FieldState, NoteTextField } from './note-text-field.ts'
import { listFilters } from './paste-items.ts'
import { pasteRichText } from './paste-rich-text.ts'
import { createPlacedTasks } from './placed-tasks.ts'
import { isTextLine } from './syntax.ts'
import { addTable, tableKeys, toCell } from './table-keys.ts'
import { shownTables } from './tables.ts'
import { formatSelection, fromOthers, showText } from './text-edits.ts'
import { linksChanged, type WidgetUses, widgets } from './widgets.ts'
import { linkTitles } from './written-titles.ts'

const markdown = new Language(defineLanguageFacet(), noteParser, [], 'markdown')

const sheet = new CSSStyleSheet()
sheet.replaceSync(css + linkedCss)

const highlighter = tagHighlighter([
  { tag: [tags.heading1, tags.heading2], class: 'note-heading' },
  { tag: [tags.heading3, tags.heading4, tags.heading5, tags.heading6], class: 'note-subheading' },
  { tag: tags.emphasis, class: 'note-emphasis' },
  { tag: tags.strong, class: 'note-strong' },
  { tag: tags.strikethrough, class: 'note-gone' },
  { tag: tags.monospace, class: 'note-code' },
  { tag: tags.quote, class: 'note-quote' },
  { tag: [tags.link, tags.url], class: 'note-link' },
  { tag: tags.tagName, class: 'note-tag' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], class: 'note-mark' },
])

/** In a shadow root its style sheets are constructed: the Content-Security-Policy forbids style elements. */
export function createEditor(
  parent: HTMLElement,
  { text, onEdit, onComposition }: FieldOptions,
  uses: WidgetUses,
  begin?: FieldState,
): NoteTextField {
  const host = document.createElement('div')
  host.className = 'note-editor'
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet]
  parent.append(host)
  const tasks = createPlacedTasks()

  const config = {
    extensions: [
      history(),
      markdown.extension,
      syntaxHighlighting(highlighter),
      widgets(uses),
      pasteLinks(uses.linked.heldTitle),
      linkTitles(uses.linked.idOfTitle),
      pasteRichText,
      listFilters,
      typeMarks,
      linkCompletion(uses),
      shownTables,
      foldedSections,
      find,
      keymap.of([
        ...tasks.keys,
        ...tableKeys,
        ...foldKeys,
        ...markdownKeys,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      otherLayouts,
      enterAtOnce,
      EditorView.lineWrapping,
      EditorView.perLineTextDirection.of(true),
      EditorView.contentAttributes.of({
        'aria-label': 'Note',
        spellcheck: 'true',
        autocapitalize: 'sentences',
        autocorrect: 'on',
      }),
      placeholder('The first line is the title'),
      EditorView.updateListener.of(({ docChanged, transactions, state }) => {
        const isOwn = transactions.some((transaction) => transaction.annotation(fromOthers) === undefined)
        if (docChanged && isOwn) onEdit(() => state.doc.toString())
      }),
      tasks.extension,
      EditorView.domEventHandlers({
        compositionstart: () => onComposition(true),
        compositionend: () => onComposition(false),
      }),
    ],
  }
  const view = new EditorView({ root, parent: root, state: begun(config, text, begin) })
  if (begin?.history) showText(view, text)
  const unsubscribe = uses.linked.subscribe(() => view.dispatch({ effects: linksChanged.of(null) }))
  if (begin) view.scrollDOM.scrollTop = begin.scrollTop

  return {
    focus() {
      view.dispatch({ selection: EditorSelection.single(view.state.doc.length) })
      view.focus()
    },
    // A focus on the element itself would move the caret to the browser's earlier selection.
    enter: () => view.focus(),
    state() {
      const { anchor, head } = view.state.selection.main
      return {
        ...{ anchor, head, scrollTop: view.scrollDOM.scrollTop },
        // Undo of tasks and of typed text has one order, which ends with the field.
        ...(tasks.isEmpty() && { history: view.state.toJSON(fields) }),
      }
    },
    show: (shown) => showText(view, shown),
    caretLine() {
      const line = view.state.doc.lineAt(view.state.selection.main.head)
      const { number, text } = line
      return { number: number - 1, text, isOther: !isTextLine(view.state, line) }
    },
    type: (typed) =>
      view.dispatch(view.state.replaceSelection(typed), { userEvent: 'input', scrollIntoView: true }),
    format(format) {
      if (format === 'undo') tasks.reverse('undo')(view) || undo(view)
      else if (format === 'table') addTable(view)
      else if (format === 'indent' || format === 'outdent') {
        // On-screen keyboards have no Tab.
        const isOutward = format === 'outdent'
        toCell(isOutward ? -1 : 1)(view) || indentItems(isOutward)(view)
      } else formatSelection(view, format)
      view.focus()
    },
    find: () => void openSearchPanel(view),
    reveal: (words) => reveal(view, words),
    goTo(position) {
      const anchor = Math.min(position, view.state.doc.length)
      view.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: 'start' }),
      })
    },
    goToPoint: (point) => view.dispatch({ selection: { anchor: view.posAtCoords(point, false) } }),
    placeTask: (task) => tasks.place(view, task),
    remove() {
      unsubscribe()
      view.destroy()
      host.remove()
    },
  }
}

const fields = { history: historyField, folded: foldState }

function begun(config: EditorStateConfig, text: string, begin: FieldState | undefined): EditorState {
  if (begin?.history) return EditorState.fromJSON(begin.history, config, fields)
  const { anchor = 0, head = 0 } = begin ?? {}
  const selection = EditorSelection.single(Math.min(anchor, text.length), Math.min(head, text.length))
  return EditorState.create({ ...config, doc: text, selection })
}

const sample =
  '# Title\n\n*One* ~~two~~ [link](https://example.org) `code` #tag\n\n- [ ] open\n- [x] done\n\n> quote\n'

/** Shows a note outside the page once, so that opening the first note does not compile this code. */
export function warmUp() {
  const ignore = () => undefined
  const events = { onEdit: ignore, onComposition: ignore }
  const titles = { get: ignore, heldTitle: ignore, idOfTitle: ignore, titlesWith: () => [] }
  const linked = { ...titles, subscribe: () => ignore }
  const uses = { linked, onOpen: ignore, onTickTask: ignore, onWriteNote: () => '' }
  createEditor(document.createElement('div'), { text: sample, ...events }, uses).remove()
}
