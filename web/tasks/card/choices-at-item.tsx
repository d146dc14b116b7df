import type { MouseEvent } from 'react'
import { type Entry, type NewChange, titleOf } from '../../engine/entry.ts'
import { changeOf } from '../../engine/journal/journal.ts'
import { mayBeStored } from '../../engine/unsent-names.ts'
import { useEngine, useStored } from '../../state/use-engine.tsx'
import { LinkButton } from '../../ui/button.tsx'

/** The choices for a rejected change, beside its failure at its item: it is made again over the item as it is now, or discarded. */
export function ChoicesAtItem({ entry }: { entry: Entry }) {
  const { store, changes } = useEngine()
  const stored = useStored(({ stored }) => stored(entry.item))
  const title = titleOf(store, entry)

  function again() {
    const change = changeOf(entry) as NewChange
    changes.make(['base' in change && stored ? { ...change, base: stored.version } : change])
  }

  return (
    <>
      {mayBeStored(entry, stored) && <Choice label="Try again" title={title} onChoose={again} />}{' '}
      <Choice label="Discard" title={title} onChoose={() => changes.forget([entry.item])} />
    </>
  )
}

/** `title`: what it chooses for, if there are several such choices. `stays`: the button does not go with its decision. */
type ChoiceProps = { label: string; title?: string; onChoose: () => void; stays?: boolean }

export function Choice({ label, title, onChoose, stays = false }: ChoiceProps) {
  function choose({ detail, currentTarget }: MouseEvent<HTMLButtonElement>) {
    // The second click of a double click would choose for the decision that has moved here.
    if (detail > 1) return
    const { form } = currentTarget
    if (!stays && !form) focusBeside(currentTarget)
    onChoose()
    form?.querySelector('input')?.focus()
  }
  const name = title === undefined ? undefined : `${label}: ${title || 'a change'}`
  return (
    <LinkButton aria-label={name} onClick={choose}>
      {label}
    </LinkButton>
  )
}

/**
 * Moves the focus from the button, which is removed with its decision, to its card. In the list of decisions, to the heading of the
 * others, or if there are none, to the title of the view.
 */
function focusBeside(button: Element) {
  const card = button.closest('article')
  if (card) return card.focus()
  const section = button.closest('section')
  const isLast = section?.querySelectorAll('[role=alert]').length === 1
  const heading = isLast ? document.getElementById('panel-title') : section?.querySelector('h2')
  heading?.focus()
}
