import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { titleLength } from '#contract/limits.ts'
import { summaryOf } from '#contract/note-summary.ts'
import { call } from '../api/client.ts'
import { randomId } from '../api/random-id.ts'
import { followerOf } from '../sync/followers.ts'
import { showStored } from '../tasks/task-cache.ts'
import { undoHistoryOf } from '../tasks/undo/undo-history.ts'
import { todayHere } from '../ui/civil-day.ts'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import type { NoteDocument } from './note-document.ts'
import type { NoteField } from './note-field.ts'
import { shownTitle } from './plain-text.ts'
import { linkTo, taskOfLine } from './task-line.ts'
import type { CaretLine } from './text-field.ts'

/** Makes a line of a note a task that is due today: the line becomes a link to it, and its body one to the note. */
export function useMakeTask(
  note: NoteDocument,
  field: RefObject<NoteField | undefined>,
  onFailure: (reason: string | undefined) => void,
) {
  const queryClient = useQueryClient()

  const [make] = useOneAtATime(async (line: CaretLine) => {
    const found = taskOfLine(line.text)
    if (!found) return onFailure('The line is empty. Put the caret into the line that is to become a task.')
    if (/\]\(task:/.test(line.text)) return onFailure('The line is a task already.')
    onFailure(undefined)
    const { before, title: text } = found
    const title = [...text].slice(0, titleLength.max).join('')
    const body = linkTo(shownTitle(summaryOf(note.text).title), `note:${note.id}`)
    const item = randomId()
    const set = { title, body, dueDate: todayHere(), priority: 'low' as const }
    try {
      const changes = [{ mutation: randomId(), item, set }]
      const { data } = await followerOf(queryClient).write(() => call('POST /changes', { body: { changes } }))
      const task = data.results[0]?.task
      if (!task) throw new Error('The server did not confirm it.')
      await showStored(queryClient, task)
      undoHistoryOf(queryClient).getState().made({ seq: task.version, deed: 'Added', title })
      field.current?.replaceLine(line, before + linkTo(text, `task:${item}`))
    } catch (error) {
      onFailure(`The line was not made a task. ${(error as Error).message}`)
    }
  })
  return make
}
