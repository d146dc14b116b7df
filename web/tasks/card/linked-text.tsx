import { Link } from 'react-router'
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
      <TaggedText key={index} text={part} isCut={length < text.length && index === parts - 1} />
    ) : href.startsWith('/') ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Link key={index} to={href}>
        <MarkedText text={part} />
      </Link>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <a key={index} href={href} dir="ltr" rel="noreferrer" target={isMail(href) ? undefined : '_blank'}>
        <MarkedText text={part} />
      </a>
    ),
  )

const isMail = (href: string) => /^mailto:/i.test(href)
