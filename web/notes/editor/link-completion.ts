import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import { tooltips } from '@codemirror/view'
import { linkTo } from '../../engine/notes/task-line.ts'
import { nodeAround } from './syntax.ts'
import { typed } from './text-edits.ts'
import type { WidgetUses } from './widgets.ts'

const typedLink = /\[\[[^[\]\n]{0,100}$/

type Uses = Pick<WidgetUses, 'linked' | 'onWriteNote'>

/** After `[[`, offers notes and tasks with the typed words in their titles, or a new note with this title. */
export const linkCompletion = (uses: Uses) => [
  // Inside the editor, which clips elements outside.
  tooltips({ position: 'absolute', tooltipSpace: ({ dom }) => dom.getBoundingClientRect() }),
  autocompletion({
    icons: false,
    interactionDelay: 0,
    activateOnTypingDelay: 0,
    override: [(context) => completionsOf(context, uses)],
  }),
]

function completionsOf(context: CompletionContext, uses: Uses): CompletionResult | null {
  const link = context.matchBefore(typedLink)
  if (!link) return null
  const words = link.text.slice(2)
  const options: Completion[] = uses.linked.titlesWith(words).map(({ kind, id, title }) => ({
    ...completion(title, () => `${kind}:${id}`),
    detail: kind,
  }))
  if (options.length === 0 && isNewTitle(context, words)) {
    const title = words.trimEnd()
    const displayLabel = `Write the note “${title}”`
    options.push({ ...completion(title, () => `note:${uses.onWriteNote(title)}`), displayLabel })
  }
  return {
    from: link.from,
    options,
    filter: false,
    // Each key updates the list at once. Otherwise it waits for a pause in typing, and Enter meanwhile starts a new line.
    update: (_, _from, _to, changed) => completionsOf(changed, uses),
  }
}

/** Whether the words can be a title and are not code, such as `[[ -f file`. */
function isNewTitle({ state, pos }: CompletionContext, words: string): boolean {
  const node = syntaxTree(state).resolveInner(pos, -1)
  return /^\S/.test(words) && !nodeAround(node, 'FencedCode', 'CodeBlock', 'InlineCode')
}

const completion = (title: string, destination: () => string): Completion => ({
  label: title,
  apply(view, _, from, to) {
    view.dispatch(typed(from, to, linkTo(title, destination()), 'input.complete'))
  },
})
