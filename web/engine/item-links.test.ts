import { expect, test } from 'vitest'
import { splitAtLinks } from './item-links.ts'

const linksIn = (text: string) =>
  splitAtLinks(text).flatMap(({ text, href }) => {
    if (href !== undefined) expect(href).toBe(text)
    return href ?? []
  })

test.each([
  ['https://example.org', 'https://example.org'],
  ['See http://example.org/a?b=c#d for more.', 'http://example.org/a?b=c#d'],
  ['Write to mailto:ada@example.org.', 'mailto:ada@example.org'],
  ['HTTPS://EXAMPLE.ORG/X', 'HTTPS://EXAMPLE.ORG/X'],
  ['(https://example.org/a)', 'https://example.org/a'],
  ['https://en.wikipedia.org/wiki/Daymark_(mark), and so on', 'https://en.wikipedia.org/wiki/Daymark_(mark)'],
  ['(see https://example.org/a_(b)).', 'https://example.org/a_(b)'],
  ['“https://example.org/a”', 'https://example.org/a'],
  ['<https://example.org/a>', 'https://example.org/a'],
  ['Is it https://example.org/?!', 'https://example.org/'],
  ['https://例え.jp/日本', 'https://例え.jp/日本'],
  ['https://example.org/a\u202Egro.live', 'https://example.org/a'],
  ['https://müller.de', 'https://müller.de'],
  ['at http://localhost:3000, now', 'http://localhost:3000'],
  ['http://nas/x', 'http://nas/x'],
  ['http://[::1]:3000/x', 'http://[::1]:3000/x'],
  ...[
    ...['"…" “…” „…“ »…« «…» ‹…› ‘…’', "'…' (…) […] {…} <…> |…| （…） 「…」 【…】"],
    '**…** _…_ ~~…~~ …; …。 …、 …， …, …. …... …… …!? …). …)a …">a …’s',
  ]
    .flatMap((all) => all.split(' '))
    .map((around) => [around.replace('…', 'https://example.org/a'), 'https://example.org/a']),
])('in %j the address is a link, without the punctuation around it', (text, link) => {
  expect(linksIn(text)).toEqual([link])
})

test.each([
  ...['javascript:alert(1)', 'data:text/html,<b>', 'file:///etc/passwd', 'vbscript:x', 'mailto:'],
  ...['xhttps://example.org', 'https://', 'https://.', 'http:// example.org', 'https://[', 'example.org'],
])('%j is text', (text) => {
  expect(linksIn(text)).toEqual([])
})

test.each([
  ['www.example.org.', ['https://www.example.org']],
  ['(ada@example.org), müller@müller.de', ['mailto:ada@example.org', 'mailto:müller@müller.de']],
  ['https://a.org/1,https://b.org/2;www.c.org', ['https://a.org/1', 'https://b.org/2', 'https://www.c.org']],
  ['<https://example.org/a.>', ['https://example.org/a.']],
  ['`https://a.org` [https://b.org](https://c.org)', ['https://c.org']],
  ['react@18.2.0 //a.org file:///www.a.org ada@localhost', []],
])('the addresses in %j are %j', (text, addresses) => {
  expect(splitAtLinks(text).flatMap(({ href }) => href ?? [])).toEqual(addresses)
})

test('the parts are the whole text, in order', () => {
  const text = 'a https://example.org/1, b\nhttps://example.org/2. mailto:x@y.z c javascript:x https://[ d'
  expect(linksIn(text)).toEqual(['https://example.org/1', 'https://example.org/2', 'mailto:x@y.z'])
  const parts = splitAtLinks(text).map((part) => part.text)
  expect(parts.join('')).toBe(text)
})

test('a link that is cut keeps its whole address, and those after the cut are left out', () => {
  expect(splitAtLinks('to https://example.org/path and https://example.org/other', 15)).toEqual([
    { text: 'to ' },
    { text: 'https://exam', href: 'https://example.org/path' },
  ])
})

test('a link to a note leads to it and shows its title', () => {
  const id = '0b4c1c8e-5a3e-4a55-9d8f-3f1f9f2d7c11'
  expect(splitAtLinks(`From [Garden \\[1\\]](note:${id}), see https://example.org`)).toEqual([
    { text: 'From ' },
    { text: 'Garden [1]', href: `/dashboard/notes/${id}` },
    { text: ', see ' },
    { text: 'https://example.org', href: 'https://example.org' },
  ])
  expect(splitAtLinks('[x](note:1)')).toEqual([{ text: '[x](note:1)' }])
  expect(splitAtLinks(`- [ ] [x](note:${id}) a]\\[b](note:${id})\n[c\n\n](note:${id})`)).toEqual([
    { text: '- [ ] ' },
    { text: 'x', href: `/dashboard/notes/${id}` },
    { text: ` a]\\[b](note:${id})\n[c\n\n](note:${id})` },
  ])
})
