import { type Tree, TreeFragment } from '@lezer/common'
import { expect, test } from 'vitest'
import { noteParser } from '../markdown/note-parser.ts'
import { typingParser } from './typing-parser.ts'

const blocks = [
  '## A heading\n\n',
  'Some *words* with a [link](https://example.org), `code` and #tags.\nA second line.\n\n',
  '- [ ] one\n- [x] two\n  1. inside\n\n     deeper\n',
  '> a quote\n> - with a list\n\n',
  '```\ncode\n\n- no list\n```\n',
  '    indented code\n\n',
  '| a | b |\n| - | - |\n| 1 | 2 |\n\n',
]
const insertions = ['a', '\n', '\n\n', '- ', '```\n', '> ', '    ', '# ', '*', '|', '']

/** The same sequence in every run. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 48271) % 2147483647
    return state % below
  }
}

/** Names and positions of all nodes, without the groups that balance the tree. */
function shape(tree: Tree): string {
  const nodes: string[] = []
  tree.iterate({ enter: ({ name, from, to }) => void nodes.push(`${name} ${from} ${to}`) })
  return nodes.join('\n')
}

test.each([1, 2, 3, 4])('a text that is edited has the tree of one that is parsed anew (%i)', (seed) => {
  const next = numbers(seed * 7919)
  let text = Array.from({ length: 300 }, () => blocks[next(blocks.length)]).join('')
  let tree = typingParser.parse(text)
  let fragments = TreeFragment.addTree(tree)
  for (let edit = 0; edit < 150; edit++) {
    const from = next(text.length)
    const to = Math.min(text.length, from + (next(3) === 0 ? next(60) : 0))
    const insert = insertions[next(insertions.length)] as string
    text = text.slice(0, from) + insert + text.slice(to)
    const change = { fromA: from, toA: to, fromB: from, toB: from + insert.length }
    fragments = TreeFragment.applyChanges(fragments, [change])
    tree = typingParser.parse(text, fragments)
    fragments = TreeFragment.addTree(tree, fragments)
    expect(shape(tree)).toBe(shape(noteParser.parse(text)))
  }
})
