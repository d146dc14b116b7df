import { type RefObject, useEffect } from 'react'
import { readingTime } from '../../changes/changes.ts'
import { fade } from './use-tick.ts'

/** Fades a card whose task is gone after it has said so. */
export function useDeparture(isGone: boolean, item: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (!isGone) return
    const timer = setTimeout(() => fade(item.current), readingTime)
    return () => clearTimeout(timer)
  }, [isGone, item])
}
