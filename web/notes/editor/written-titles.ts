import { type ChangeSpec, EditorState } from '@codemirror/state'
import { type IdOfTitle, linkToTitled, titlesIn } from '../markdown/note-titles.ts'
import { asPlain } from './paste-items.ts'
import { isInCode } from './syntax.ts'

/** A title in brackets becomes a link to its note as soon as it is typed or pasted. */
export const linkTitles = (idOf: IdOfTitle) =>
  EditorState.transactionFilter.of((transaction) => {
    const { docChanged, newDoc, startState } = transaction
    if (!docChanged || !transaction.isUserEvent('input') || transaction.annotation(asPlain))
      return transaction
    const changes: ChangeSpec[] = []
    transaction.changes.iterChanges((from, _to, start, end, inserted) => {
      if (!inserted.toString().includes(']') || isInCode(startState, from)) return
      const first = newDoc.lineAt(start).from
      for (const found of titlesIn(newDoc.sliceString(first, newDoc.lineAt(end).to))) {
        const isInserted = first + found.to > start && first + found.from < end
        const id = isInserted ? idOf(found.title) : undefined
        if (id !== undefined)
          changes.push({
            from: first + found.from,
            to: first + found.to,
            insert: linkToTitled(found.title, id),
          })
      }
    })
    return changes.length === 0 ? transaction : [transaction, { changes, sequential: true }]
  })
