import type { ReactNode } from 'react'

type SentenceProps = { text: string; items: ReactNode; to?: string }

/** `to`: the day, priority or tag that the items got. */
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

export const Quoted = ({ children }: { children: ReactNode }) => (
  <>
    “<bdi>{children}</bdi>”
  </>
)

export const countTasks = (count: number): string => `${count} ${count === 1 ? 'task' : 'tasks'}`
