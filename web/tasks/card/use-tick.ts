import { type RefObject, use, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { useSetDone } from '../mutations.ts'
import { listsRendered } from '../task-cache.ts'
import { SearchedWords } from './marked-text.tsx'

/** In milliseconds (specification section 9): the card fades, and near the end the cards below close its space. */
const collapseTime = 300
const fadedAt = 2 / 3

/** The ring of a card: what it shows, and what it does, once however often it is pressed before the card has gone. */
export function useTick(task: Task, item: RefObject<HTMLElement | null>) {
  const { mutateAsync, error } = useSetDone(task)
  // A search shows open and done tasks.
  const staysInPlace = use(SearchedWords).length > 0
  // Shown at once, before the server has answered.
  const [shown, setShown] = useState<boolean>()
  const [tick] = useOneAtATime(async () => {
    const done = task.doneAt === null
    setShown(done)
    let collapsed: Animation | undefined
    const beforeRemoval = async () => {
      if (!staysInPlace) collapsed = await collapse(item.current)
    }
    await mutateAsync({ done, beforeRemoval }).catch(() => {})
    await listsRendered()
    // Another device may have undone it meanwhile: then the card is still there.
    collapsed?.cancel()
    setShown(undefined)
  })
  return { isTicked: shown ?? task.doneAt !== null, tick, error }
}

/**
 * Fades a card, then closes its space. With the rest before it, no other card comes to the place of a click while a
 * second click of a double click can follow. Returns the animation, which keeps the card invisible.
 */
export async function collapse(item: HTMLElement | null): Promise<Animation | undefined> {
  const duration = collapseTime
  const height = `${item?.offsetHeight}px`
  const faded = { opacity: 0, height, offset: fadedAt }
  const closed = isMotionReduced() ? {} : { opacity: 0, height: 0, marginTop: 0 }
  const animation = item?.animate([{ opacity: 1, height }, faded, { ...faded, ...closed, offset: 1 }], {
    duration,
    fill: 'forwards',
  })
  // Not the end of the animation: a page in the background animates nothing.
  await new Promise((ended) => setTimeout(ended, duration))
  return animation
}

const isMotionReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches
