import { Link } from 'react-router'
import { tagsIn } from '#contract/tags.ts'
import { tagPath } from '../../views/views.ts'
import { MarkedText } from './marked-text.tsx'

/** A text with its tags as links to their places. */
export function TaggedText({ text }: { text: string }) {
  const tags = tagsIn(text)
  if (tags.length === 0) return <MarkedText text={text} />
  return [
    ...tags.flatMap(({ text: tag, from }, index) => [
      <MarkedText key={`before ${from}`} text={text.slice(tags[index - 1]?.to ?? 0, from)} />,
      <TagLink key={from} tag={tag} text={tag} />,
    ]),
    <MarkedText key="rest" text={text.slice(tags.at(-1)?.to)} />,
  ]
}

/** A link to the place of a tag, of which the end may be cut. */
export const TagLink = ({ tag, text }: { tag: string; text: string }) => (
  // A click on the title around it would open the dialog.
  <Link className="tag" to={tagPath(tag)} onClick={(event) => event.stopPropagation()}>
    <MarkedText text={text} />
  </Link>
)
