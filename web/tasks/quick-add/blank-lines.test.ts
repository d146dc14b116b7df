import { expect, test } from 'vitest'
import { readTaskText } from '#contract/words/task-text.ts'
import { taskOfLine } from '../../engine/notes/task-line.ts'
import { isSeveralLines } from '../../engine/quick-lines.ts'
import { shownTitle } from '../../notes/markdown/plain-text.ts'
import { pastedLines } from './pasted-text.ts'

const blank = ' \u200b\u2060\u2800\u3164\u00ad\ufeff'

test('Lines that show nothing are no tasks, and no titles of notes', () => {
  expect(pastedLines(`One\n${blank}\n- [ ] Two`).lines.map(({ text }) => text)).toEqual(['One', 'Two'])
  expect([`One\n${blank}`, `${blank}\n${blank}`, 'One\n\nTwo'].map(isSeveralLines)).toEqual([
    false,
    false,
    true,
  ])
  expect(taskOfLine(`- [ ] ${blank}`)).toBeUndefined()
  expect(shownTitle(blank)).toBe('Untitled')
})

test('The words of a field are the title of a line that shows nothing else', () => {
  const { title, set } = readTaskText(`${blank} !high`, {
    now: { today: '2026-11-25', time: '08:00' },
    findDates: undefined,
  })
  expect([title.endsWith('!high'), set]).toEqual([true, {}])
})
