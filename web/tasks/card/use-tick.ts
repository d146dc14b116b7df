import { type RefObject, use, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import { fadeTime } from '../../changes/changes.ts'
import { complete } from '../../changes/complete.tsx'
import { reopen } from '../../changes/reopen.tsx'
import { useParts } from '../../state/dashboard.tsx'
import { listsRendered } from '../../ui/lists-rendered.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { SearchedWords } from './marked-text.tsx'

/** In milliseconds: how long a ticked card stays as it is, so that the tick is seen. */
const restTime = 300

/**
 * The state of the ring of a card, and its handler, which runs once even if the ring is pressed again before the card has gone.
 */
export function useTick(task: Task, item: RefObject<HTMLElement | null>) {
  const { store } = useParts()
  const { make } = useParts().changes
  // A search shows open and done tasks.
  const staysInPlace = use(SearchedWords).length > 0
  const isOpen = task.doneAt === null
  // The card itself stays as it is until it goes.
  const [shown, setShown] = useState<boolean>()
  const [tick] = useOneAtATime(async () => {
    setShown(isOpen)
    const unpin = store.pin([task._id])
    const rested = new Promise<boolean>((rested) => setTimeout(rested, restTime, true))
    const made = make([isOpen ? complete(task) : reopen(task)])
    const goes = await Promise.race([made.then((notStored) => notStored.length === 0 && rested), rested])
    const faded = goes && !staysInPlace ? await fade(item.current, struck) : undefined
    unpin()
    await listsRendered()
    // If the change has failed, or another device has undone it meanwhile, the card is still there.
    faded?.cancel()
    setShown(undefined)
  })
  return { isTicked: shown ?? !isOpen, tick }
}

/** The opacity of a completed card until its gap closes: that of `.task-gap`. */
const struck = 0.45

/** Fades a card. Returns the animation, which keeps the card so. */
export async function fade(item: HTMLElement | null, opacity = 0): Promise<Animation | undefined> {
  const animation = item?.animate([{ opacity: 1 }, { opacity }], { duration: fadeTime, fill: 'forwards' })
  // Not the end of the animation: a page in the background animates nothing.
  await new Promise((ended) => setTimeout(ended, fadeTime))
  return animation
}
