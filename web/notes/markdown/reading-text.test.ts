import type { SyntaxNode } from '@lezer/common'
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { tagsIn } from '#contract/tags.ts'
import { splitAtLinks } from '../../engine/item-links.ts'
import { linkTo, taskLinkIn, taskOfLine } from '../../engine/notes/task-line.ts'
import { noteParser } from './note-parser.ts'
import { Reading } from './reading.tsx'

const id = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0'

function read(text: string): string {
  const itemOf = () => ({ title: 'Title', isDone: false })
  const context = { text, itemOf, onOpen() {} }
  return renderToStaticMarkup(createElement(Reading, { tree: noteParser.parse(text), context }))
}

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#x27': "'", amp: '&' }
const decoded = (html: string) => html.replace(/&([\w#]+);/g, (_, name) => characters[name] ?? name)

const addressesIn = (html: string) =>
  [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, to]) => decoded(`${to}`))
const isNested = (html: string) => /<a [^>]*>(?:(?!<\/a>)[\s\S])*<a /.test(html)

const place = '/dashboard?tag='

const html = ['<div>', '<!-- ', '-->', '<b title="', '<br>', '</p>\n']
const markdown = [
  ...'#a #b/c (#part) https://a.b/x www.c.d e@f.gh <https://i.j> https://müller.de http://nas:1'.split(' '),
  ...['[', '](', ')', '![', ']', '(', '[word](https://l.m "word")', '[word](#n)', '[word]: ', '[^1]: '],
  ...['[word][word]', '`', '``', '```', '\n```\n', '~~~', '```word\n', '*', '**', '_', '~~', '\\', '&amp;'],
  ...['|', '\n|-|-|\n', '"', '“', '»', '\n', '\n', '\n\n', '\r\n', ' ', '  \n', '    ', '\t', '> ', '- '],
  ...['1. ', '2) ', '- [ ] ', '- [x] ', '# ', '\n---\n', '\n==='],
  ...['word', ' word ', '.', ',', ';', '。', '…', ':', '#', '!', "'", 'é', '<', '>'],
]
const textsOf = (pieces: string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 40, size: 'max' }).map((parts) => parts.join(''))
const anyText = textsOf([...markdown, ...html])

test('Every word of a note is in its reading view', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let count = 0
      const words = text.replaceAll('word', () => `w${count++}w`)
      const shown = read(words)
      const all = `${shown.replaceAll(/<[^>]*>/g, '')} ${addressesIn(shown)}`
      for (const [word] of words.matchAll(/w\d+w/g)) expect(all).toContain(word)
    }),
    { numRuns: 1000 },
  )
})

test.each([
  '[Anna]: yes',
  '- [Carl]: maybe',
  '[^1]: note',
  '> [a]: <b> "title"',
  '[a]: b\n===',
  '```language info\ncode\n```',
  '[text](https://example.org "title")',
  '[text](../file.md "title")',
  '![image](picture.png)',
  '[](https://example.org/empty)',
  '[text][label] ![image][label]',
  '<!-- comment -->\n\n<?php code ?>\n\n<div title="words">\ntext\n</div>',
  '| a | b |\n|---|---|\n| 1 | 2 | more |',
  '`code` <tel:123> &copy; \\word',
])('Of %j every word is shown', (text) => {
  const shown = read(`Note\n\n${text}`).replaceAll(/<[^>]*>/g, (tag) => addressesIn(tag).join(' '))
  for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) expect(shown).toContain(word)
})

test('The addresses and tags of a text are the same links in a note and in the body of a task, and in no other link', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = read(text)
      expect(isNested(shown), shown).toBe(false)
      const links = addressesIn(shown)
      const tags = links
        .filter((to) => to.startsWith(place))
        .map((to) => `#${decodeURIComponent(to.slice(place.length))}`)
      const body = splitAtLinks(text)
      expect(links.filter((to) => !to.startsWith(place))).toEqual(body.flatMap(({ href }) => href ?? []))
      expect(tags).toEqual(body.flatMap(({ tag }) => tag ?? []))
      expect(tags).toEqual(tagsIn(text).map((tag) => tag.text))
      expect(body.map((part) => part.text).join('')).toBe(text)
    }),
    { numRuns: 1000 },
  )
})

test('Links, addresses and tags are where the parser of notes finds text, and not where it finds code', () => {
  fc.assert(
    fc.property(textsOf(markdown), (text) => {
      // The parser has other rules for HTML in which text is not parsed, and for a tab after the mark of a quote.
      fc.pre(!/^[ >]*<|>\t/m.test(text))
      // The parser reads each cell of a table alone, so that code does not continue in the next cell.
      fc.pre(!/^.*-.*\|.*$/m.test(text) || !text.includes('`'))
      const tags: number[] = []
      noteParser.parse(text).iterate({ enter: ({ name, from }) => void (name === 'Tag' && tags.push(from)) })
      expect(tagsIn(text).map(({ from }) => from)).toEqual(tags)
    }),
    // In about one of 50,000 texts, the parser of notes differs from CommonMark.
    { numRuns: 1000, seed: 1 },
  )
})

const destinations = fc.constantFrom(
  ...['https://real.example/x', 'http://localhost:3000/a_(b)', 'mailto:ada@example.org'],
  'https://a.b/?c=1&d=2#e',
)
const pieces = ['https://example.com', 'www.a.b', 'c@d.ef', '<g@h.ij>', '#k', '[l]', '*m*', '`n`', ' o ']
const labels = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '))

test('A link leads to its address, whatever its text contains', () => {
  fc.assert(
    fc.property(labels, destinations, fc.boolean(), (label, to, isImage) => {
      const shown = read(`Note\n\na ${isImage ? '!' : ''}[${label}](${to}) b`)
      expect(addressesIn(shown)).toEqual([to])
      expect(isNested(shown)).toBe(false)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['[see [b] c](https://example.org)', ['https://example.org']],
  ['[![image](https://i.org/1.png)](https://example.org)', ['https://example.org']],
  ['[a [b](https://b.org) c](https://example.org)', ['https://b.org', 'https://example.org']],
  ['[a](<https://example.org/x y>)', ['https://example.org/x y']],
  ['[a](https://example.org/?b=1&amp;c=\\(2)', ['https://example.org/?b=1&c=(2']],
  ['[a\nb](https://example.org) [c](https://c.org\n"d")', ['https://example.org', 'https://c.org']],
  ['`[a](https://b.org)` [c`](https://d.org)`', []],
])('The links of %j lead to %j', (text, addresses) => {
  expect(addressesIn(read(`Note\n\n${text}`))).toEqual(addresses)
})

const words = fc.constantFrom(
  ...'https://example.com www.a.b/(c [see ] ](https://d.e) ` <https://f.g> #tag \\ Call'.split(' '),
  '<a href="',
)

test('A line that becomes a task is one link to the task with one ring', () => {
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 6 }), (all) => {
      const task = taskOfLine(`- [ ] ${all.join(' ')}`)
      fc.pre(task !== undefined)
      const line = `${task?.before}${linkTo(task?.title ?? '', `task:${id}`)}`
      const shown = read(`Note\n\n${line}`)
      expect(taskLinkIn(line)).toBe(id)
      expect(shown.match(/<input/g)).toHaveLength(1)
      expect(shown).toContain('linked-ring')
      expect(addressesIn(shown)).toEqual([])
      const links: SyntaxNode[] = []
      noteParser
        .parse(line)
        .iterate({ enter: ({ name, node }) => void (name === 'Link' && links.push(node)) })
      expect(links.map((link) => link.getChildren('URL').length)).toEqual([1])
    }),
    { numRuns: 300 },
  )
})
