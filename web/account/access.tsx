import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { problemFrom } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { useLocale } from '../ui/use-locale.ts'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'

type AccessProps = {
  name: string
  isHere?: boolean
  children: ReactNode
  action: string
  label: string
  onEnd: (() => void) | undefined
}

export const Access = ({ name, isHere = false, children, action, label, onEnd }: AccessProps) => (
  <li className="row loose apart">
    <div>
      <bdi className="session-name">{name}</bdi>
      {isHere && <span className="soft">This browser</span>}
      <p className="soft">{children}</p>
    </div>
    {onEnd && (
      <Button className="button rigid" aria-label={label} onClick={onEnd}>
        {action}
      </Button>
    )}
  </li>
)

export function useDays(): (instant: string) => string {
  const day = new Intl.DateTimeFormat(useLocale(), { dateStyle: 'medium', numberingSystem: 'latn' })
  return (instant) => day.format(new Date(instant))
}

/** An answer with this code says that it has ended meanwhile, which is no failure. */
export const unlessEnded = (code: string) => (error: unknown) => {
  if (problemFrom(error)?.problem.code !== code) throw error
}

/** `outcome`: what became of the last press. `title` takes the focus of a button that has gone. */
export function useAccesses(read: () => Promise<void>, notLoaded: string, notEnded: string) {
  const [failure, setFailure] = useState('')
  const [outcome, setOutcome] = useState('')
  const title = useRef<HTMLHeadingElement>(null)

  function begin() {
    setFailure('')
    setOutcome('')
  }
  function fail(what: string, error: unknown) {
    console.error(error)
    setFailure(`${what} ${problemFrom(error)?.message ?? ''}`)
  }

  const [load, isLoading] = useOneAtATime(async () => {
    setFailure('')
    await read().catch((error) => fail(notLoaded, error))
  })
  const loadOnce = useEffectEvent(load)
  useEffect(() => void loadOnce(), [])

  const [end, isEnding] = useOneAtATime(async (work: () => Promise<unknown>, ended: string) => {
    begin()
    try {
      await work()
      setOutcome(ended)
      title.current?.focus()
      await load()
    } catch (error) {
      fail(notEnded, error)
    }
  })
  return { load, end, begin, fail, isBusy: isLoading || isEnding, title, failure, outcome }
}
