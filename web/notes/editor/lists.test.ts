import { moveLineDown, moveLineUp, undo } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandsOf, extensions, markedOf, run, stateOf } from '../testing/marked-state.ts'
import { checkboxOf, listKeys, withSpaceBehindMark } from './list-keys.ts'

const commandOf = commandsOf(listKeys)

const pressed = (marked: string, key: string, isShifted = false) =>
  markedOf(run(stateOf(marked), commandOf(key, isShifted)))

const pasted = (marked: string, text: string) => {
  const state = stateOf(marked)
  return markedOf(state.update(state.replaceSelection(text), { userEvent: 'input.paste' }).state)
}

describe('Enter', () => {
  test('on an empty nested item goes one level out, with the mark of that level', () => {
    expect(pressed('- a\n  - b\n  - ¦', 'Enter')).toBe('- a\n  - b\n- ¦')
    expect(pressed('1. a\n   - b\n   - ¦', 'Enter')).toBe('1. a\n   - b\n2. ¦')
    expect(pressed('- [ ] a\n  - [x] b\n  - [ ] ¦', 'Enter')).toBe('- [ ] a\n  - [x] b\n- [ ] ¦')
    expect(pressed('- a\n- ¦', 'Enter')).toBe('- a\n¦')
  })

  test('replaces what is selected in an item, and goes on with the next one', () => {
    expect(pressed('- [ ] one ‹two› three', 'Enter')).toBe('- [ ] one \n- [ ] ¦ three')
    expect(pressed('- a‹b\n- c›d', 'Enter')).toBe('- a\n- ¦d')
    expect(pressed('1. ‹a›', 'Enter')).toBe('1. \n2. ¦')
  })

  test('before or inside of a mark keeps the mark', () => {
    expect(pressed('- ¦[ ] a', 'Enter')).toBe('- [ ] \n- [ ] ¦a')
    expect(pressed('-¦ a', 'Enter')).toBe('- \n- ¦a')
    expect(pressed('1¦0. a', 'Enter')).toBe('10. \n11. ¦a')
  })

  test('continues a list in a quote, and leaves first the list, then the quote', () => {
    expect(pressed('> - a¦', 'Enter')).toBe('> - a\n> - ¦')
    expect(pressed('> 1. [x] a¦', 'Enter')).toBe('> 1. [x] a\n> 2. [ ] ¦')
    expect(pressed('> - a\n> - ¦', 'Enter')).toBe('> - a\n> ¦')
    expect(pressed('> a\n> ¦', 'Enter')).toBe('> a\n¦')
    expect(pressed('> > a\n> > ¦', 'Enter')).toBe('> > a\n> ¦')
  })

  test('in a fence that is in a list or a quote stays in it', () => {
    expect(pressed('- ```js¦', 'Enter')).toBe('- ```js\n  ¦')
    expect(pressed('> ```\n>   a¦', 'Enter')).toBe('> ```\n>   a\n>   ¦')
    expect(pressed('```\n> a¦\n```', 'Enter')).toBe('```\n> a¦\n```')
    expect(pressed('```\n- a¦\n```', 'Enter')).toBe('```\n- a¦\n```')
    expect(pressed('text\n\n    - a¦', 'Enter')).toBe('text\n\n    - a¦')
  })
})

describe('Tab and Shift+Tab', () => {
  test('put an item one level below the one above it, and back, and do nothing in other text', () => {
    expect(pressed('- a\n- b¦', 'Tab')).toBe('- a\n  - b¦')
    expect(pressed('10. a\n- b¦', 'Tab')).toBe('10. a\n    - b¦')
    expect(pressed('1. a\n   - b\n2. c¦', 'Tab')).toBe('1. a\n   - b\n   1. c¦')
    expect(pressed('- a¦', 'Tab')).toBe('  - a¦')
    expect(pressed('1. a\n\n   - b¦', 'Tab', true)).toBe('1. a\n\n- b¦')
    expect(pressed('- a\n  - b\n    - c¦', 'Tab', true)).toBe('- a\n  - b\n  - c¦')
    expect(pressed('  - a¦', 'Tab', true)).toBe('- a¦')
    expect(pressed('text¦', 'Tab')).toBe('text¦')
  })

  test('move all selected items and what is between them, and the levels stay apart', () => {
    expect(pressed('- a\n‹- b\n  - c\n- d›', 'Tab')).toBe('- a\n  ‹- b\n    - c\n  - d›')
    expect(pressed('- a\n‹  - b\n\n    - c\n›- d', 'Tab', true)).toBe('- a\n‹- b\n\n  - c\n›- d')
    expect(pressed('> - a\n> - b¦', 'Tab')).toBe('> - a\n>   - b¦')
  })

  test('An item is at most one level below the one above it', () => {
    for (const text of ['- a\n  - b¦', '  - a¦']) expect(pressed(text, 'Tab')).toBe(text)
  })
})

describe('Backspace behind a mark', () => {
  test('removes the mark as one', () => {
    expect(pressed('- [ ] ¦a', 'Backspace')).toBe('¦a')
    expect(pressed('10. ¦a', 'Backspace')).toBe('¦a')
    expect(pressed('> - ¦a', 'Backspace')).toBe('> ¦a')
    expect(pressed('> > ¦a', 'Backspace')).toBe('> ¦a')
    expect(pressed('- a\n  - ¦b', 'Backspace')).toBe('- a\n  ¦b')
  })

  test('Elsewhere, and in code, it is not handled', () => {
    expect(commandOf('Backspace')({ state: stateOf('- a¦'), dispatch: () => undefined })).toBe(false)
    expect(commandOf('Backspace')({ state: stateOf('```\n- ¦a\n```'), dispatch: () => undefined })).toBe(
      false,
    )
  })
})

describe('Numbers', () => {
  test('are counted anew when an item is added, removed, moved or indented', () => {
    expect(pressed('1. a¦\n2. b\n3. c', 'Enter')).toBe('1. a\n2. ¦\n3. b\n4. c')
    expect(pressed('1. a\n2. b¦\n3. c', 'Tab')).toBe('1. a\n   1. b¦\n2. c')
    expect(pressed('1. a\n   1. b¦\n   2. c\n2. d', 'Tab', true)).toBe('1. a\n2. b¦\n   1. c\n3. d')
    expect(pressed('1. a\n2. ¦b\n3. c', 'Backspace')).toBe('1. a\n¦b\n2. c')
    expect(markedOf(run(stateOf('1. a\n2. b¦\n3. c'), moveLineUp))).toBe('1. b¦\n2. a\n3. c')
    const state = stateOf('1. a\n2. b¦')
    const removed = state.update({ changes: { from: 0, to: 5 }, userEvent: 'delete.line' })
    expect(markedOf(removed.state)).toBe('1. b¦')
    const middle = stateOf('a\n\n1. b\n2. c¦')
    const joined = middle.update({ changes: { from: 2, to: 7 }, userEvent: 'delete.line' })
    expect(markedOf(joined.state)).toBe('a\n\n1. c¦')
  })

  test('begin where the list began, and end with the list', () => {
    expect(pressed('5. a¦\n6. b', 'Enter')).toBe('5. a\n6. ¦\n7. b')
    expect(pressed('1. a¦\n2. b\n\ntext\n\n1. c', 'Enter')).toBe('1. a\n2. ¦\n3. b\n\ntext\n\n1. c')
    expect(pressed('1) a¦\n2) b\n1. c', 'Enter')).toBe('1) a\n2) ¦\n3) b\n1. c')
    expect(pressed('> 1. a¦\n> 2. b\n\n2. c', 'Enter')).toBe('> 1. a\n> 2. ¦\n> 3. b\n\n2. c')
  })

  test('go on below a table, a heading or code that is put into the list', () => {
    for (const block of ['| x |\n| - |', '# x', '```\nx\n```'])
      expect(pasted('1. a\n2. b\n¦3. c\n4. d', `\n${block}\n\n`)).toBe(
        `1. a\n2. b\n\n${block}\n\n¦3. c\n4. d`,
      )
  })

  test('are counted in a list as Markdown reads it, also where its items are not equally far inward', () => {
    expect(pressed('  1) a¦\n2) b', 'Enter')).toBe('  1) a\n  2) ¦\n3) b')
    expect(pressed('1. a\n   1. b¦', 'Tab', true)).toBe('1. a\n2. b¦')
    expect(pressed('8. a¦\n\ntext', 'Tab')).toBe('  8. a¦\n\ntext')
  })

  test('stay where all are the same, where a number is typed, and in code', () => {
    const state = stateOf('1. a\n1. b\n1. c¦')
    expect(markedOf(run(state, moveLineUp))).toBe('1. a\n1. c¦\n1. b')
    expect(pressed('1. a¦\n1. b', 'Enter')).toBe('1. a\n1. ¦\n1. b')
    const typed = stateOf('1. a\n¦. b').update({ changes: { from: 5, insert: '7' }, userEvent: 'input.type' })
    expect(typed.state.doc.toString()).toBe('1. a\n7. b')
    expect(markedOf(run(stateOf('```\n1. a\n2. b¦\n```'), moveLineUp))).toBe('```\n2. b¦\n1. a\n```')
  })

  test('What belongs to an item stays in it when its number gets a digit more', () => {
    const nine = '8. a¦\n9. b\n   - c\n\n   d'
    expect(pressed(nine, 'Enter')).toBe('8. a\n9. ¦\n10. b\n    - c\n\n    d')
  })

  test('One undo takes back a change of any text with its numbers', () => {
    const line = fc.stringMatching(/^(> )?( {0,6})([-*] |[1-9]{1,2}[.)] )?(\[[ x]\] )?[a-z]{0,2}$/)
    const text = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join('\n'))
    const commands = [
      ...['Enter', 'Tab', 'Backspace'].map((key) => commandOf(key)),
      ...[commandOf('Tab', true), moveLineUp, moveLineDown],
    ]
    const where = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(text, fc.constantFrom(...commands), where, where, (doc, command, anchor, head) => {
        const at = (part: number) => Math.round(part * doc.length)
        const selection = { anchor: at(anchor), head: at(head) }
        const state = EditorState.create({ doc, selection, extensions })
        const changed = run(state, command)
        const undone = changed.doc.eq(state.doc) ? changed : run(changed, undo)
        expect(undone.doc.toString()).toBe(doc)
      }),
    )
  })
})

test('Lines pasted into an item become items, and a list leaves no empty one', () => {
  expect(pasted('- ¦', 'one\ntwo')).toBe('- one\n- two¦')
  expect(pasted('- a¦', '\none\n\ntwo')).toBe('- a\n- one\n- two¦')
  expect(pasted('- ¦', '1. one\n  1. two\n2. [x] three')).toBe('- one\n  - two\n- [x] three¦')
  expect(pasted('1. ¦', '- one\n- two')).toBe('1. one\n2. two¦')
  expect(pasted('> - ¦', '* one\n* two')).toBe('> - one\n> - two¦')
  expect(pasted('- ¦', '- one')).toBe('- one¦')
  expect(pasted('- ¦', '- [ ] one')).toBe('- [ ] one¦')
  expect(pasted('- a¦', ' - one')).toBe('- a - one¦')
  expect(pasted('- ¦', '# one\ntwo')).toBe('- # one\ntwo¦')
})

test('Lines pasted into a quote stay in it', () => {
  expect(pasted('> ¦', '# one\n\ntwo')).toBe('> # one\n> \n> two¦')
  expect(pasted('> > a¦', 'b\nc')).toBe('> > ab\n> > c¦')
  expect(pasted('a¦', 'b\nc')).toBe('ab\nc¦')
})

test('Lines pasted into an item with a checkbox become such items, and ticked ones stay ticked', () => {
  expect(pasted('- [ ] ¦', 'eggs\n\nmilk\n')).toBe('- [ ] eggs\n- [ ] milk¦')
  expect(pasted('- [ ] a¦', '\n- b')).toBe('- [ ] a\n- [ ] b¦')
  expect(pasted('1. [ ] a¦', '\nb\nc')).toBe('1. [ ] a\n2. [ ] b\n3. [ ] c¦')
  expect(pasted('  1. [ ] a¦', ' b\n- [x] c\n  - d')).toBe('  1. [ ] ab\n  2. [x] c\n    3. [ ] d¦')
  expect(pasted('1. [ ] ¦\n2. [ ] c', 'a\nb\n')).toBe('1. [ ] a\n2. [ ] b¦\n3. [ ] c')
  expect(pasted('```\n- [ ] ¦\n```', 'a\nb')).toBe('```\n- [ ] a\nb¦\n```')
})

test('`[]` and `[ ]` become checkboxes at the beginning of a line or of an item', () => {
  expect(checkboxOf('[]')).toBe('- [ ] ')
  expect(checkboxOf('[ ]')).toBe('- [ ] ')
  expect(checkboxOf('  - []')).toBe('  - [ ] ')
  expect(checkboxOf('> 1. []')).toBe('> 1. [ ] ')
  expect(checkboxOf('a []')).toBe(undefined)
})

test('A typed no-break space that ends a mark is a space, wherever it is typed, and others stay', () => {
  expect(withSpaceBehindMark('#', '\u00a0')).toBe(' ')
  expect(withSpaceBehindMark('', '##\u00a0Fast')).toBe('## Fast')
  expect(withSpaceBehindMark('  > -', '\u00a0a\u00a0b')).toBe(' a\u00a0b')
  expect(withSpaceBehindMark('# Prix', '\u00a0:')).toBe(undefined)
  expect(withSpaceBehindMark('#\u00a0', 'a')).toBe(undefined)
})
