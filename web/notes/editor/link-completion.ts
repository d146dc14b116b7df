import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { tooltips } from '@codemirror/view'
import type { LinkedTitles } from '../markdown/linked-items.ts'
import { linkTo } from '../task-line.ts'

const typedLink = /\[\[[^[\]\n]{0,100}$/

/** After `[[`, the notes and tasks with the typed words in their titles. The chosen one becomes a link. */
export const linkCompletion = ({ titlesWith }: Pick<LinkedTitles, 'titlesWith'>) => [
  // The editor clips elements outside.
  tooltips({ position: 'absolute', tooltipSpace: ({ dom }) => dom.getBoundingClientRect() }),
  autocompletion({
    icons: false,
    interactionDelay: 0,
    activateOnTypingDelay: 0,
    override: [(context) => completionsOf(context, titlesWith)],
  }),
]

function completionsOf(
  context: CompletionContext,
  titlesWith: LinkedTitles['titlesWith'],
): CompletionResult | null {
  const typed = context.matchBefore(typedLink)
  if (!typed) return null
  const options = titlesWith(typed.text.slice(2)).map(
    ({ kind, id, title }): Completion => ({
      label: title,
      detail: kind,
      apply(view, _, from, to) {
        const insert = linkTo(title, `${kind}:${id}`)
        view.dispatch({
          changes: { from, to, insert },
          selection: { anchor: from + insert.length },
          userEvent: 'input.complete',
        })
      },
    }),
  )
  return {
    from: typed.from,
    options,
    filter: false,
    // Each key answers at once. Without it the list waits for a pause in typing, and Enter meanwhile starts a new line.
    update: (_, _from, _to, changed) => completionsOf(changed, titlesWith),
  }
}
