import { createContext, use } from 'react'
import { Link } from 'react-router'
import { splitAtLinks } from '../../engine/item-links.ts'
import { shownWords } from '../../views/views.ts'
import { MarkedText } from './marked-text.tsx'
import { TagLink } from './tagged-text.tsx'

/**
 * A part of a text, with its links and tags: http and https open beside the page, mailto the mail program, a note in the page, a
 * tag a search. The text around it says what is code.
 */
export const LinkedText = ({ text, start = 0, end }: { text: string; start?: number; end: number }) =>
  splitAtLinks(text, end, start).map(({ text: part, href, tag }, index) =>
    tag !== undefined ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity but their place
      <TagLink key={index} tag={tag} text={part} />
    ) : href === undefined ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <MarkedText key={index} text={part} />
    ) : href.startsWith('/') ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <NoteLink key={index} href={href} text={part} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <a key={index} href={href} dir="ltr" rel="noreferrer" target={isMail(href) ? undefined : '_blank'}>
        <MarkedText text={part} />
      </a>
    ),
  )

/** The id of the task whose text is shown. */
export const OwnTask = createContext('')

/** Opens a note, at the line that links to this task if there is one: the task came from there. */
const NoteLink = ({ href, text }: { href: string; text: string }) => (
  <Link to={href} state={{ [shownWords]: [`task:${use(OwnTask)}`] }}>
    <MarkedText text={text} />
  </Link>
)

const isMail = (href: string) => /^mailto:/i.test(href)
