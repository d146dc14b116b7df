import type { ReactNode } from 'react'

/** `to`: the day, priority or tag that the items got. */
export function Sentence({ text, items, to = '' }: { text: string; items: ReactNode; to?: string }) {
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
