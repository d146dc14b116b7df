import { useMemo } from 'react'
import { Link } from 'react-router'
import { useStored } from '../../store/use-store.ts'
import { itemLinks } from '../card/links.ts'

type BodyLinksProps = { body: string; onOpen: () => void }

/** Below the body, which shows links as they are written: the notes that it links to, by their titles. */
export function BodyLinks({ body, onOpen }: BodyLinksProps) {
  const links = useMemo(
    () => new Map([...itemLinks('note', body)].map(({ id, title }) => [id.toLowerCase(), title])),
    [body],
  )
  if (links.size === 0) return null
  return (
    <ul className="body-links" aria-label="Linked notes">
      {[...links].map(([id, title]) => (
        <li key={id}>
          <NoteLink id={id} title={title} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}

function NoteLink({ id, title, onOpen }: { id: string; title: string; onOpen: () => void }) {
  const current = useStored((store) => store.note(id)?.title)
  return (
    <Link to={`/dashboard/notes/${id}`} onClick={onOpen} dir="auto">
      {current || title}
    </Link>
  )
}
