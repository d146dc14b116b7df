import { expect, test } from 'vitest'
import { progressOf } from './note-progress.tsx'

const [done, open, gone] = ['1', '2', '3'].map((digit) => `0b4c1c8e-5a3e-4a55-9d8f-3f1f9f2d7c1${digit}`)

test('Lines with a checkbox count as they are ticked, lines with a link to a task as the task is done', () => {
  const lines = [
    '# Moving',
    '- [x] Ask Rui',
    '- [ ] Read the meters',
    `- [Sign](task:${done})`,
    `- [x] [Pack](task:${open})`,
    `- [Kettle](task:${gone})`,
    'Text with [x]',
  ]
  const isTaskDone = (id: string) => (id === gone ? undefined : id === done)
  expect(progressOf(lines.join('\n'), isTaskDone)).toEqual({ done: 2, all: 4 })
})

test('A text without such lines has nothing to be done', () => {
  expect(progressOf('', () => undefined)).toEqual({ done: 0, all: 0 })
})
