import type { ListName } from '#contract/lists.ts'
import { useParts } from '../../state/dashboard.tsx'
import { useGoToView } from '../../state/dashboard-state.tsx'
import { Lesson } from '../../ui/empty-state.tsx'

type EmptyLessonProps = { list: ListName; lesson: { text: string; example: string } | undefined }

/** The example in an empty list. A press adds nothing: it puts the example into the quick line, which Enter sends. */
export function EmptyLesson({ list, lesson }: EmptyLessonProps) {
  const lines = useParts().quickLines
  const goTo = useGoToView()
  if (list === 'done')
    return (
      <Lesson
        text="Press the ring to complete a task, or x on the keyboard."
        example="Show Today’s tasks"
        onTry={() => goTo('today')}
      />
    )
  return (
    lesson && (
      <Lesson
        {...lesson}
        onTry={() => {
          lines.getState().type(lesson.example)
          document.querySelector<HTMLElement>('[data-quick-add]')?.focus()
        }}
      />
    )
  )
}
