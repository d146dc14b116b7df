import type { ReactNode } from 'react'
import { labelFor, offered } from '../../engine/verbs/verb.ts'
import { LinkButton } from '../../ui/button.tsx'
import { notePath } from '../../views/note-path.ts'
import type { LinkedItem } from './linked-items.ts'
import type { ItemAddress, NoteAddress } from './note-address.ts'
import type { IdOfTitle, WrittenTitle } from './note-titles.ts'

export type ReadingContext = {
  text: string
  /** The editor replaces this view: each line keeps its place. */
  hasBlankLines?: boolean
  itemOf: (address: ItemAddress) => LinkedItem | undefined
  onOpen: (address: ItemAddress) => void
  /** Completes or reopens a linked task. Without it, the ring is disabled. */
  onTickTask?: ((address: ItemAddress, done: boolean) => unknown) | undefined
  idOfTitle?: IdOfTitle
  /** Opens or writes the note with this title. Without it, the title of a missing note is text. */
  onTitle?: ((written: WrittenTitle) => void) | undefined
  /** Ticks the checkbox at this position. Without it, checkboxes are disabled. */
  onTick?: ((position: number) => void) | undefined
}

/** Sets the attribute, which copied text has. React changes only the property. */
export const tickCopies = (isTicked: boolean) => (checkbox: HTMLInputElement | null) => {
  if (checkbox) checkbox.defaultChecked = isTicked
}

export const PageLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} rel="noreferrer" target={/^mailto:/i.test(href) ? undefined : '_blank'}>
    {children}
  </a>
)

type ReadingLinkProps = { address: NoteAddress; context: ReadingContext; children: ReactNode }

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
