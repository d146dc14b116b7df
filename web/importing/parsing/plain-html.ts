const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Returns a text with the characters that its entities mean. */
export const withCharacters = (text: string): string =>
  text.replace(/&(#x?[\da-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => characterOf(name) ?? whole)

/** Returns the words of HTML that an editor wrote, as Markdown: paragraphs, lists, checkboxes, links. Other marks are left out. */
export function plainHtml(html: string): string {
  if (!/<\/?[a-z][^<>]*>/i.test(html)) return html
  const lines = html
    .replace(/(?<!\s)\s*\n\s*/g, ' ')
    .replace(/<li\b[^<>]{0,500}data-checked="(true|false)"[^<>]{0,500}>/gi, (_, isDone: string) =>
      isDone === 'true' ? '\n- [x] ' : '\n- [ ] ',
    )
    .replace(/<li\b[^<>]*>/gi, '\n- ')
    .replace(
      /<a\b[^<>]{0,1000}?href="([^"<>]{0,1000})"[^<>]*>([^<>]{0,1000})<\/a>/gi,
      (_, address: string, words: string) => (words === address ? address : `[${words}](${address})`),
    )
    .replace(/<img\b[^<>]*>/gi, '[picture]')
    .replace(/<br\b[^<>]*>|<\/(?:h[1-6]|tr)>/gi, '\n')
    .replace(/<\/p>/gi, '\n\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
  return withCharacters(lines)
    .replace(/(- (?:\[[ x]\] )?)\s*/g, '$1')
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n\n(?=- )/g, '\n')
    .trim()
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()]
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
