import { addressOf } from '../markdown/note-address.ts'
import { type Container, code, type PastedItem, type PastedLink } from './blocks.ts'
import { formatsIn, styleOf, tagNameOf } from './elements.ts'

export type PastedList = { isOrdered: boolean; next: number; last: PastedItem | undefined; path: Container[] }

export type PastedPlace = {
  path: Container[]
  list: PastedList | undefined
  formats: number
  link: PastedLink | undefined
  /** Whether line breaks are shown. In code from an editor, styles are colours. */
  lines: 'joined' | 'kept' | 'code'
  depth: number
}

export function inside(element: Element, place: PastedPlace): PastedPlace {
  const name = tagNameOf(element)
  const lines = linesIn(element, place.lines)
  const formats = lines === 'code' ? place.formats : formatsIn(element, place.formats)
  const isCode = ['code', 'kbd', 'samp', 'tt'].includes(name)
  const link = name === 'a' ? linkOf(element.getAttribute('href')) : undefined
  return { ...place, lines, formats: isCode ? formats | code : formats, link: link ?? place.link }
}

function linesIn(element: Element, outside: PastedPlace['lines']): PastedPlace['lines'] {
  const space = styleOf(element, 'white-space')
  if (space === 'pre') return 'code'
  if (/^(?:pre|break-spaces)/.test(space)) return 'kept'
  return space ? 'joined' : outside
}

function linkOf(href: string | null): PastedLink | undefined {
  const address = href?.trim().replace(/[\t\n\r]/g, '') ?? ''
  if (addressOf(address)?.kind !== 'page') return
  return { address: address.replace(/[\s<>\\`|]/g, encodeURIComponent), isBare: false }
}
