import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, use, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import { storeOf } from '../../store/use-store.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { explain, makeChange } from '../change-task.ts'
import { listsRendered } from '../lists-rendered.ts'
import { fadeTime, whilePinned } from '../pinned.ts'
import { notStored } from '../undo/step-texts.tsx'
import { SearchedWords } from './marked-text.tsx'

/** In milliseconds: how long a ticked card stays as it is, so that the tick is seen. */
const restTime = 300

/** The ring of a card: its state, and its handler, which runs once even if the ring is pressed again before the card has gone. */
export function useTick({ _id: id, title, doneAt }: Task, item: RefObject<HTMLElement | null>) {
  const queryClient = useQueryClient()
  // A search shows open and done tasks.
  const staysInPlace = use(SearchedWords).length > 0
  // The card itself stays as it is until it goes.
  const [shown, setShown] = useState<boolean>()
  const [tick] = useOneAtATime(async () => {
    const done = doneAt === null
    setShown(done)
    let faded: Animation | undefined
    await whilePinned(storeOf(queryClient), id, async () => {
      const action = done ? 'Completed' : 'Reopened'
      const stored = makeChange(queryClient, { item: id, set: { done } }, { action, title })
      stored.catch((error) => explain(queryClient, id, notStored[action], error))
      const rested = new Promise((rested) => setTimeout(rested, restTime))
      await Promise.race([stored.then(() => rested), rested])
      if (!staysInPlace) faded = await fade(item.current)
    }).catch(() => {})
    await listsRendered()
    // It may have failed, or another device may have undone it meanwhile: then the card is still there.
    faded?.cancel()
    setShown(undefined)
  })
  return { isTicked: shown ?? doneAt !== null, tick }
}

/** Fades a card. Returns the animation, which keeps the card invisible. */
export async function fade(item: HTMLElement | null): Promise<Animation | undefined> {
  const animation = item?.animate([{ opacity: 1 }, { opacity: 0 }], { duration: fadeTime, fill: 'forwards' })
  // Not the end of the animation: a page in the background animates nothing.
  await new Promise((ended) => setTimeout(ended, fadeTime))
  return animation
}
