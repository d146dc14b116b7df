import { createContext, use } from 'react'
import { Link } from 'react-router'
import { shownWords } from '../../views/views.ts'
import { splitAtLinks } from './links.ts'
import { MarkedText } from './marked-text.tsx'
import { TaggedText } from './tagged-text.tsx'

/**
 * The first `length` characters of a text, with its links and tags: http and https open beside the page, mailto the mail
 * program, a note in the page, a tag a search.
 */
export const LinkedText = ({ text, length }: { text: string; length: number }) =>
  splitAtLinks(text, length).map(({ text: part, href }, index, { length: parts }) =>
    href === undefined ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity but their place
      <TaggedText key={index} text={part} isCut={isCutAt(text, length) && index === parts - 1} />
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

/** Whether the address may continue there: a line break or a space ends it. */
const isCutAt = (text: string, length: number) => length < text.length && !/\s/u.test(text.charAt(length))

const isMail = (href: string) => /^mailto:/i.test(href)
