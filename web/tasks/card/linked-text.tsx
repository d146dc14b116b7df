import { createContext, use } from 'react'
import { Link } from 'react-router'
import { tagsIn } from '#contract/tags.ts'
import { splitAtLinks } from '../../engine/item-links.ts'
import { shownWords, tagPath } from '../../views/views.ts'
import { MarkedText } from './marked-text.tsx'

/**
 * A part of a text, with its links and tags: http and https open beside the page, mailto the mail program, a note in the page, a
 * tag a search. The text around it says what is code.
 */
export const LinkedText = ({ text, start = 0, end }: { text: string; start?: number; end: number }) =>
  splitAtLinks(text, end, start).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity but their place
    <LinkedPart key={index} {...part} />
  ))

/** The id of the task whose text is shown. */
export const OwnTask = createContext('')

function LinkedPart({ text, href, tag }: ReturnType<typeof splitAtLinks>[number]) {
  const ownTask = use(OwnTask)
  const marked = <MarkedText text={text} />
  if (tag !== undefined) return <TagLink tag={tag} text={text} />
  if (href === undefined) return marked
  if (href.startsWith('/'))
    return (
      // Opened at the line that links to this task if there is one: the task came from there.
      <Link to={href} state={{ [shownWords]: [`task:${ownTask}`] }}>
        {marked}
      </Link>
    )
  return (
    <a href={href} dir="ltr" rel="noreferrer" target={/^mailto:/i.test(href) ? undefined : '_blank'}>
      {marked}
    </a>
  )
}

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
