import type { MouseEvent } from 'react'
import { type Entry, type NewChange, titleOf } from '../../engine/entry.ts'
import { changeOf } from '../../engine/journal/journal.ts'
import { mayBeStored } from '../../engine/unsent-names.ts'
import { useEngine, useStored } from '../../state/use-engine.tsx'
import { LinkButton } from '../../ui/button.tsx'

/** “Try again” makes the rejected change over the item as it is now. */
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

/** `title`: the item, if there are several such choices. `stays`: the button is there after its press. */
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

/** The button goes with its decision. In the list of decisions, the focus goes to a heading. */
function focusBeside(button: Element) {
  const card = button.closest('article')
  if (card) return card.focus()
  const section = button.closest('section')
  const isLast = section?.querySelectorAll('[role=alert]').length === 1
  const heading = isLast ? document.getElementById('panel-title') : section?.querySelector('h2')
  heading?.focus()
}
