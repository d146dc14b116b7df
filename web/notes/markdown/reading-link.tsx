import type { ReactNode } from 'react'
import { labelFor, offered } from '../../engine/verbs/verb.ts'
import { LinkButton } from '../../ui/button.tsx'
import { notePath } from '../../views/note-path.ts'
import type { LinkedItem } from './linked-items.ts'
import type { ItemAddress, NoteAddress } from './note-address.ts'
import type { IdOfTitle, WrittenTitle } from './note-titles.ts'

/** The text of a note, the items to which it links, and the handlers of its parts. */
export type ReadingContext = {
  text: string
  /** The item to which a link leads; undefined if it is not known. */
  itemOf: (address: ItemAddress) => LinkedItem | undefined
  onOpen: (address: ItemAddress) => void
  /** Completes a linked task or brings it back. Without it, its ring cannot be changed. */
  onTickTask?: ((address: ItemAddress, done: boolean) => unknown) | undefined
  idOfTitle?: IdOfTitle
  /** Opens the note that has a title in brackets, or writes it. Without it, the title is no link if there is no such note. */
  onTitle?: ((written: WrittenTitle) => void) | undefined
  /** Ticks the checkbox whose `[ ]` is at this position. Without it, checkboxes cannot be changed. */
  onTick?: ((position: number) => void) | undefined
}

/** For a copy of the text, which has the attribute of a checkbox: React changes only the property. */
export const tickCopies = (isTicked: boolean) => (checkbox: HTMLInputElement | null) => {
  if (checkbox) checkbox.defaultChecked = isTicked
}

export const PageLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} rel="noreferrer" target={/^mailto:/i.test(href) ? undefined : '_blank'}>
    {children}
  </a>
)

type ReadingLinkProps = { address: NoteAddress; context: ReadingContext; children: ReactNode }

/** A link to a page, or to a note or a task, of which the current title is shown. */
export function ReadingLink({ address, context, children }: ReadingLinkProps) {
  if (address.kind === 'page') return <PageLink href={address.href}>{children}</PageLink>
  const item = context.itemOf(address)
  if (!item) return children
  if ('gone' in item)
    return (
      <span className="gone-link">
        {children} ({item.gone})
      </span>
    )
  const { title } = item
  if (address.kind === 'task')
    return (
      <>
        <input
          type="checkbox"
          className="linked-ring"
          aria-label={labelFor(offered.complete, title)}
          ref={tickCopies(item.isDone)}
          checked={item.isDone}
          disabled={!context.onTickTask}
          onChange={() => context.onTickTask?.(address, !item.isDone)}
        />
        <LinkButton onClick={() => context.onOpen(address)}>{title}</LinkButton>
      </>
    )
  return (
    <a
      href={notePath(address.id)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        context.onOpen(address)
      }}
    >
      {title}
    </a>
  )
}

export function TitleLink({ written, context }: { written: WrittenTitle; context: ReadingContext }) {
  const { title, from, to } = written
  const { idOfTitle, onTitle, text } = context
  const id = idOfTitle?.(title)
  if (onTitle)
    return (
      <LinkButton
        title={id === undefined ? `Write the note “${title}”` : undefined}
        onClick={() => onTitle(written)}
      >
        {title}
      </LinkButton>
    )
  if (id === undefined) return text.slice(from, to)
  return (
    <ReadingLink address={{ kind: 'note', id }} context={context}>
      {title}
    </ReadingLink>
  )
}
