import { createContext, use } from 'react'
import { Link } from 'react-router'
import { tagsIn } from '#contract/tags.ts'
import { splitAtLinks } from '../../engine/item-links.ts'
import { shownWords, tagPath } from '../../views/views.ts'
import { MarkedText } from './marked-text.tsx'

/** `text` is whole even if only a part is shown: what is around the part says whether it is code. */
export const LinkedText = ({ text, start = 0, end }: { text: string; start?: number; end: number }) =>
  splitAtLinks(text, end, start).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity but their place
    <LinkedPart key={index} {...part} />
  ))

export const ShownTaskId = createContext('')

function LinkedPart({ text, href, tag }: ReturnType<typeof splitAtLinks>[number]) {
  const shownTask = use(ShownTaskId)
  const marked = <MarkedText text={text} />
  if (tag !== undefined) return <TagLink tag={tag} text={text} />
  if (href === undefined) return marked
  if (href.startsWith('/'))
    return (
      // Opened at the line that links to this task if there is one: the task came from there.
      <Link to={href} state={{ [shownWords]: [`task:${shownTask}`] }}>
        {marked}
      </Link>
    )
  return (
    <a href={href} dir="ltr" rel="noreferrer" target={/^mailto:/i.test(href) ? undefined : '_blank'}>
      {marked}
    </a>
  )
}

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

/** `text`: the tag as it is shown. An excerpt may have cut its end. */
const TagLink = ({ tag, text }: { tag: string; text: string }) => (
  // A click on the title around it would open the dialog.
  <Link className="tag" to={tagPath(tag)} onClick={(event) => event.stopPropagation()}>
    <MarkedText text={text} />
  </Link>
)
