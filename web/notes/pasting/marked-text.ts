import { bold, type Character, code, italic, linked, type PastedLink, struck, unformatted } from './blocks.ts'
import { endOfStretch, spanAt } from './format-spans.ts'

const marked = [bold, italic, struck] as const
const marks = { [bold]: '**', [italic]: '*', [struck]: '~~' }

/** `origins`: for each position the index of its character, or -1 for syntax. */
export type Marked = { markdown: string; origins: number[] }

/** The characters with marks. Formats that last longer are outside of those that end earlier. */
export function markedText(characters: Character[]): Marked {
  const result: Marked = { markdown: '', origins: [] }
  const put = (text: string, origin = -1) => {
    result.markdown += text
    for (let index = 0; index < text.length; index++) result.origins.push(origin)
  }
  const open: { format: number; link?: PastedLink | undefined }[] = []
  const close = () => {
    const { format, link } = open.pop() as (typeof open)[number]
    put(format === linked ? closingOf(link as PastedLink) : marks[format as keyof typeof marks])
  }
  for (let index = 0; index < characters.length; ) {
    const character = characters[index] as Character
    const goesOn = ({ format, link }: (typeof open)[number]) =>
      format === linked ? character.link === link : character.formats & format
    const ended = open.findIndex((format) => !goesOn(format))
    while (ended >= 0 && open.length > ended) close()
    const isOpen = (format: number) => open.some((other) => other.format === format)
    const isLinked = character.link !== undefined && !character.link.isBare
    const begun = [...marked.filter((format) => character.formats & format), ...(isLinked ? [linked] : [])]
      .filter((format) => !isOpen(format))
      .map((format) => ({ format, end: spanAt(characters, index, format)[1] }))
      .sort((a, b) => b.end - a.end)
    for (const { format } of begun) {
      open.push({ format, link: character.link })
      put(format === linked ? '[' : marks[format as keyof typeof marks])
    }
    const end = endOfStretch(characters, index)
    if (character.formats & code) putCode(put, characters, index, end)
    else
      for (let place = index; place < end; place++) {
        const { unit, isEscaped } = characters[place] as Character
        if (isEscaped) put('\\')
        put(unit, place)
      }
    index = end
  }
  while (open.length > 0) close()
  return result
}

function putCode(
  put: (text: string, origin?: number) => void,
  characters: Character[],
  from: number,
  to: number,
) {
  const text = unformatted(characters.slice(from, to))
  const runs = text.match(/`+/g) ?? []
  const fence = '`'.repeat(runs.reduce((longest, { length }) => Math.max(longest, length), 0) + 1)
  put(fence)
  for (let place = from; place < to; place++) put(characters[place]?.unit ?? '', place)
  put(fence)
}

const closingOf = ({ address }: PastedLink) => `](${/[()]/.test(address) ? `<${address}>` : address})`
