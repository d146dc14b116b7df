import { Link, useLocation } from 'react-router'
import { tagsIn } from '#contract/tags.ts'
import { searchPath } from '../../views/views.ts'
import { MarkedText } from './marked-text.tsx'

type TaggedTextProps = {
  text: string
  /** Whether more follows: a tag at the end may then be cut and is no link. */
  isCut?: boolean
}

/** A text with its tags as links to a search. */
export function TaggedText({ text, isCut = false }: TaggedTextProps) {
  const tags = tagsIn(text).filter(({ to }) => !(isCut && to === text.length))
  if (tags.length === 0) return <MarkedText text={text} />
  return [
    ...tags.flatMap(({ text: tag, from }, index) => [
      <MarkedText key={`before ${from}`} text={text.slice(tags[index - 1]?.to ?? 0, from)} />,
      <TagLink key={from} tag={tag} />,
    ]),
    <MarkedText key="rest" text={text.slice(tags.at(-1)?.to)} />,
  ]
}

function TagLink({ tag }: { tag: string }) {
  const location = useLocation()
  return (
    // A click on the title around it would open the dialog.
    <Link className="tag" to={searchPath(location, tag)} onClick={(event) => event.stopPropagation()}>
      <MarkedText text={tag} />
    </Link>
  )
}
