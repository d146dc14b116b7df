import type { ReactNode } from 'react'

type SentenceProps = { text: string; items: ReactNode; to?: string }

/** A sentence of a verb about these items, which got this day, priority or tag. */
export function Sentence({ text, items, to = '' }: SentenceProps) {
  const [before, after = ''] = text.split('{items}')
  return (
    <>
      {before}
      {items}
      {after.replace('{to}', () => to)}
    </>
  )
}

/** The title of an item within a sentence. */
export const Quoted = ({ children }: { children: ReactNode }) => (
  <>
    “<bdi>{children}</bdi>”
  </>
)

/** As in `1 task` and `3 tasks`. */
export const countTasks = (count: number): string => `${count} ${count === 1 ? 'task' : 'tasks'}`
