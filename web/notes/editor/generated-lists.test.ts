import { moveLineDown, moveLineUp, undo } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noteParser } from '../markdown/note-parser.ts'
import { commandsOf, extensions, run } from '../testing/marked-state.ts'
import { listKeys } from './list-keys.ts'

const words = fc.constantFrom('milk', 'two words', 'חלב', 'قائمة المهام')
const fence = fc.constantFrom(['```', '1. a', '  - b', '```'], ['~~~js', '', '> 7) c', '~~~'])
const inward = (lines: string[], column: number) =>
  lines.map((line) => (line === '' ? '' : ' '.repeat(column) + line))

/** Lists as a person writes them: nested, with numbers in order, and with code and paragraphs in their items. */
const listsWith = ({ firsts, hasBodies }: { firsts: number[]; hasBodies: boolean }) =>
  fc.letrec<{ list: string[]; item: (mark: string) => string[] }>((tie) => ({
    item: fc
      .record({
        checkbox: fc.constantFrom('', '', '[ ] ', '[x] '),
        text: words,
        code: hasBodies ? fc.option(fence, { freq: 4 }) : fc.constant(null),
        paragraph: hasBodies ? fc.option(words, { freq: 5 }) : fc.constant(null),
        nested: fc.option(tie('list'), { maxDepth: 3, depthSize: 'small', freq: 1 }),
      })
      .map(({ checkbox, text, code, paragraph, nested }) => (mark: string) => [
        mark + checkbox + text,
        ...inward([...(paragraph ? ['', paragraph] : []), ...(code ?? []), ...(nested ?? [])], mark.length),
      ]),
    list: fc
      .record({
        sign: fc.constantFrom('-', '*', '.', ')'),
        first: fc.constantFrom(...firsts),
        items: fc.array(tie('item'), { minLength: 1, maxLength: 4 }),
      })
      .map(({ sign, first, items }) =>
        items.flatMap((item, index) => item(`${/[.)]/.test(sign) ? first + index : ''}${sign} `)),
      ),
  })).list

/** Such lists between paragraphs, also in quotes. */
const textWith = (options: Parameters<typeof listsWith>[0]) =>
  fc
    .record({
      quote: fc.constantFrom('', '', '> ', '> > '),
      lists: fc.array(listsWith(options), { minLength: 1, maxLength: 2 }),
    })
    .map(({ quote, lists }) =>
      lists
        .flatMap((lines) => [...lines, '', 'text', ''])
        .map((line) => (quote + line).trimEnd())
        .join('\n'),
    )

const text = textWith({ firsts: [1, 1, 8, 98], hasBodies: true })

const commandOf = commandsOf(listKeys)

const commands = {
  enter: commandOf('Enter'),
  indent: commandOf('Tab'),
  outdent: commandOf('Tab', true),
  backspace: commandOf('Backspace'),
  up: moveLineUp,
  down: moveLineDown,
}

const part = fc.double({ min: 0, max: 1, noNaN: true })
const step = fc.record({
  name: fc.constantFrom(...(Object.keys(commands) as (keyof typeof commands)[])),
  anchor: part,
  head: fc.option(part, { nil: undefined }),
})

const selected = (state: EditorState, anchor: number, head = anchor) => {
  const at = (place: number) => Math.round(place * state.doc.length)
  return state.update({ selection: { anchor: at(anchor), head: at(head) } }).state
}

/** Lines may be moved. */
const wordsOf = (doc: string) => [...doc.replace(/\[[ x]\]|[\s\d.)>*-]/g, '')].toSorted().join('')

/** The numbers of each list of items with numbers, as the parser reads the text. */
function numbersOf(state: EditorState): number[][] {
  const lists: number[][] = []
  noteParser.parse(state.doc.toString()).iterate({
    enter({ name, node }) {
      if (name !== 'OrderedList') return
      lists.push(
        node.getChildren('ListItem').map(({ from }) => Number.parseInt(state.sliceDoc(from, from + 9), 10)),
      )
    },
  })
  return lists
}

test('All changes of lists together are undone to the text, and no word of it changes meanwhile', () => {
  fc.assert(
    fc.property(text, fc.array(step, { minLength: 1, maxLength: 6 }), (doc, steps) => {
      let state = EditorState.create({ doc, extensions })
      for (const { name, anchor, head } of steps) {
        // Enter replaces what is selected.
        state = run(selected(state, anchor, name === 'enter' ? anchor : head), commands[name])
        expect(wordsOf(state.doc.toString())).toBe(wordsOf(doc))
      }
      for (let before = undefined as EditorState | undefined; before !== state; ) {
        before = state
        state = run(state, undo)
      }
      expect(state.doc.toString()).toBe(doc)
    }),
    { numRuns: 200 },
  )
})

test('An item that is moved inward and outward again is as it was', () => {
  // Tab moves lines, and not what belongs to them, which has another place when a number has more digits.
  const items = textWith({ firsts: [1], hasBodies: false })
  fc.assert(
    fc.property(items, part, (doc, anchor) => {
      const state = selected(EditorState.create({ doc, extensions }), anchor)
      const inside = run(state, commands.indent)
      if (inside.doc.eq(state.doc)) return
      expect(run(inside, commands.outdent).doc.toString()).toBe(doc)
    }),
    { numRuns: 200 },
  )
})

test('Numbers in order are in order after each change', () => {
  fc.assert(
    fc.property(text, fc.array(step, { minLength: 1, maxLength: 4 }), (doc, steps) => {
      let state = EditorState.create({ doc, extensions })
      for (const { name, anchor } of steps) {
        // A line that goes out of a fence, or into one, makes other lines code.
        if (/up|down/.test(name) && /```|~~~/.test(doc)) continue
        state = run(selected(state, anchor), commands[name])
        for (const numbers of numbersOf(state)) {
          const [first = 0] = numbers
          // Lists with the same number everywhere stay so.
          if (numbers.some((number) => number !== first))
            expect(numbers).toEqual(numbers.map((_, index) => first + index))
        }
      }
    }),
    { numRuns: 200 },
  )
})
