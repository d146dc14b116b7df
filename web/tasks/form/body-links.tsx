import { useMemo } from 'react'
import { Link } from 'react-router'
import { itemLinks } from '../../engine/item-links.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { useStored } from '../../state/use-engine.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { shownWords } from '../../views/views.ts'

type ItemLinkProps = { id: string; title: string; onOpen: () => void }

/** The body itself shows links as they are written. */
export function BodyLinks({ body, onOpen }: { body: string; onOpen: () => void }) {
  const links = useMemo(() => [...linksIn('note', body), ...linksIn('task', body)], [body])
  if (links.length === 0) return null
  return (
    <ul className="body-links wraps words small" aria-label="Links">
      {links.map(({ kind, ...link }) => (
        <li key={`${kind} ${link.id}`}>
          {kind === 'note' ? <NoteLink {...link} onOpen={onOpen} /> : <TaskLink {...link} onOpen={onOpen} />}
        </li>
      ))}
    </ul>
  )
}

const linksIn = (kind: 'note' | 'task', body: string) => {
  const titles = new Map([...itemLinks(kind, body)].map(({ id, title }) => [id.toLowerCase(), title]))
  return [...titles].map(([id, title]) => ({ kind, id, title }))
}

function NoteLink({ id, title, onOpen }: ItemLinkProps) {
  const current = useStored((store) => store.note(id)?.title)
  return (
    <Link to={`/dashboard/notes/${id}`} state={{ [shownWords]: [] }} onClick={onOpen} dir="auto">
      {current || title}
    </Link>
  )
}

function TaskLink({ id, title, onOpen }: ItemLinkProps) {
  const open = useDashboard((state) => state.open)
  const task = useStored((store) => store.task(id))
  if (task?.deletedAt !== null) return title
  const openTask = () => {
    onOpen()
    open({ name: 'editTask', task })
  }
  return (
    <LinkButton dir="auto" onClick={openTask}>
      {task.title}
    </LinkButton>
  )
}
