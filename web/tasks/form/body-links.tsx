import { useMemo } from 'react'
import { Link } from 'react-router'
import { itemLinks } from '../../engine/item-links.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { useStored } from '../../state/use-engine.tsx'
import { shownWords } from '../../views/views.ts'

type BodyLinksProps = { body: string; onOpen: () => void }
type ItemLinkProps = { id: string; title: string; onOpen: () => void }

/** Shown below the body, which shows links as they are written: the notes and tasks that it links to, by their titles. */
export function BodyLinks({ body, onOpen }: BodyLinksProps) {
  const [notes, tasks] = useMemo(() => [linksIn('note', body), linksIn('task', body)] as const, [body])
  if (notes.length + tasks.length === 0) return null
  return (
    <ul className="body-links" aria-label="Links">
      {notes.map(([id, title]) => (
        <li key={id}>
          <NoteLink id={id} title={title} onOpen={onOpen} />
        </li>
      ))}
      {tasks.map(([id, title]) => (
        <li key={id}>
          <TaskLink id={id} title={title} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}

/** The linked items of this kind, each once, with the titles as they are written. */
const linksIn = (kind: 'note' | 'task', body: string) => [
  ...new Map([...itemLinks(kind, body)].map(({ id, title }) => [id.toLowerCase(), title])),
]

function NoteLink({ id, title, onOpen }: ItemLinkProps) {
  const current = useStored((store) => store.note(id)?.title)
  return (
    <Link to={`/dashboard/notes/${id}`} state={{ [shownWords]: [] }} onClick={onOpen} dir="auto">
      {current || title}
    </Link>
  )
}

/** Opens the dialog of the other task. A task that is deleted or not held has none. */
function TaskLink({ id, title, onOpen }: ItemLinkProps) {
  const open = useDashboard((state) => state.open)
  const task = useStored((store) => store.task(id))
  if (task?.deletedAt !== null) return title
  const openTask = () => {
    onOpen()
    open({ name: 'editTask', task })
  }
  return (
    <button type="button" className="link-button" dir="auto" onClick={openTask}>
      {task.title}
    </button>
  )
}
