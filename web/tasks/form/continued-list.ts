import type { KeyboardEvent } from 'react'
import { isModified, pressedKey } from '../../ui/pressed-key.ts'

const mark = /^(\s*)(?:([-*+])|(\d{1,9})([.)]))\s+(\[[ xX]\]\s+)?/

/** `removed`: how many characters before the caret are replaced. */
export function continuedList(text: string, caret: number) {
  const start = text.lastIndexOf('\n', caret - 1) + 1
  const [line = ''] = text.slice(start).split('\n', 1)
  const [marks, indent, bullet, number, sign, box] = mark.exec(line) ?? []
  if (marks === undefined || caret - start < marks.length) return
  // An empty item ends the list.
  if (line.length === marks.length) return { removed: marks.length, inserted: '' }
  const next = bullet ?? `${Number(number) + 1}${sign}`
  return { removed: 0, inserted: `\n${indent}${next} ${box ? '[ ] ' : ''}` }
}

export function continueList(event: KeyboardEvent): void {
  const { target: area } = event
  if (!(area instanceof HTMLTextAreaElement)) return
  if (pressedKey(event.nativeEvent) !== 'Enter' || isModified(event)) return
  const { value, selectionStart: caret, selectionEnd } = area
  const continued = caret === selectionEnd ? continuedList(value, caret) : undefined
  if (!continued) return
  event.preventDefault()
  area.setSelectionRange(caret - continued.removed, caret)
  // Only this command is undone by the browser's own undo, and reported as typed.
  if (continued.inserted === '') document.execCommand('delete')
  else document.execCommand('insertText', false, continued.inserted)
}
