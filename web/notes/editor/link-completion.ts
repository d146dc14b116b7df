import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import { tooltips } from '@codemirror/view'
import { linkTo } from '../../engine/notes/task-line.ts'
import type { LinkedItems } from '../markdown/linked-items.ts'
import { nodeAround } from './syntax.ts'

const typedLink = /\[\[[^[\]\n]{0,100}$/

type TitlesWith = LinkedItems['titlesWith']

/** Writes a note with this title, and returns its id. */
type WriteNote = (title: string) => string

/**
 * After `[[`, the notes and tasks with the typed words in their titles. The chosen one becomes a link. If there are none, a note
 * with this title can be written.
 */
export const linkCompletion = ({ titlesWith }: { titlesWith: TitlesWith }, write: WriteNote) => [
  // The editor clips elements outside.
  tooltips({ position: 'absolute', tooltipSpace: ({ dom }) => dom.getBoundingClientRect() }),
  autocompletion({
    icons: false,
    interactionDelay: 0,
    activateOnTypingDelay: 0,
    override: [(context) => completionsOf(context, titlesWith, write)],
  }),
]

function completionsOf(
  context: CompletionContext,
  titlesWith: TitlesWith,
  write: WriteNote,
): CompletionResult | null {
  const typed = context.matchBefore(typedLink)
  if (!typed) return null
  const words = typed.text.slice(2)
  const options: Completion[] = titlesWith(words).map(({ kind, id, title }) => ({
    ...completion(title, () => `${kind}:${id}`),
    detail: kind,
  }))
  if (options.length === 0 && isNewTitle(context, words)) {
    const title = words.trimEnd()
    const displayLabel = `Write the note “${title}”`
    options.push({ ...completion(title, () => `note:${write(title)}`), displayLabel })
  }
  return {
    from: typed.from,
    options,
    filter: false,
    // Each key answers at once. Without it the list waits for a pause in typing, and Enter meanwhile starts a new line.
    update: (_, _from, _to, changed) => completionsOf(changed, titlesWith, write),
  }
}

/** Whether the typed words are meant as a title, and not as code, as in `[[ -f file`. */
function isNewTitle({ state, pos }: CompletionContext, words: string): boolean {
  const node = syntaxTree(state).resolveInner(pos, -1)
  return /^\S/.test(words) && !nodeAround(node, 'FencedCode', 'CodeBlock', 'InlineCode')
}

const completion = (title: string, destination: () => string): Completion => ({
  label: title,
  apply(view, _, from, to) {
    const insert = linkTo(title, destination())
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.complete',
    })
  },
})
