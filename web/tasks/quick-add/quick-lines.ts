import { createStore } from 'zustand/vanilla'
import type { TaskDraft } from '#contract/tasks.ts'
import { perCache } from '../../sync/per-cache.ts'
import { dropDraft, idOf, type KeptDraft, keepDraft, keptDrafts, newDraftKey } from '../form/drafts.ts'
import type { Addition } from '../mutations.ts'

/**
 * What is in the box: the text, its words that the reader has turned back into text, and the key of the draft that keeps
 * it in the browser until the server has it.
 */
export type Typed = { text: string; dismissed: readonly string[]; key?: string | undefined }

/** A line that was entered, and why it was not added, if it failed. */
export type Line = Typed & { draft: TaskDraft; reason?: string }

export type Send = (addition: Addition) => Promise<unknown>

export type QuickLines = Typed & {
  /** Why the line that is back in the box was not added. */
  reason: string | undefined
  /** Entered and not answered yet, oldest first. */
  sending: Line[]
  /** Not added, while the box had another line. */
  failed: Line[]
  /** What was typed on an earlier visit and did not reach the server, newest first; unknown until it is looked up. */
  offered: KeptDraft[] | undefined
  lookUpOffers: () => void
  restore: (draft: KeptDraft) => void
  discardOffer: (draft: KeptDraft) => void
  type: (text: string) => void
  dismiss: (words: string) => void
  /** Takes the line out of the box and sends it after those that are being sent. */
  enter: (draft: TaskDraft, send: Send) => void
  sendAgain: (line: Line, send: Send) => void
  discard: (line: Line) => void
}

const emptyBox = { text: '', dismissed: [], reason: undefined, key: undefined }

/** The place of the drafts. */
const place = 'quick'

/** Keeps a line as it was typed: its words are read again when it is restored. */
function keep(key: string | undefined, title: string) {
  const values = { title, body: '', dueDate: '', priority: '' }
  if (key) keepDraft(key, { values, at: Date.now() })
}

const drop = (key: string | undefined) => key && dropDraft(key)

/** The lines of the quick line, from the first letter until the server has answered. */
const createQuickLines = () =>
  createStore<QuickLines>()((set, get) => {
    let last: Promise<void> = Promise.resolve()

    function sendAfterOthers(line: Line, send: Send) {
      set(({ sending }) => ({ sending: [...sending, line] }))
      last = last
        .then(() => send({ draft: line.draft, id: idOf(line.key) }))
        .then(
          () => {
            drop(line.key)
            set(({ sending }) => ({ sending: sending.toSpliced(sending.indexOf(line), 1) }))
          },
          (error: Error) => set((state) => afterFailure(state, line, error.message)),
        )
    }

    return {
      ...emptyBox,
      sending: [],
      failed: [],
      offered: undefined,
      lookUpOffers: () => set(({ offered = keptDrafts(place) }) => ({ offered })),
      restore(draft) {
        const { text, key } = get()
        const [typed] = text === '' ? [] : keptDrafts(place).filter((other) => other.key === key)
        set(({ offered = [] }) => ({
          ...emptyBox,
          text: draft.values.title,
          key: draft.key,
          offered: [...without(offered, draft), ...(typed ? [typed] : [])],
        }))
      },
      discardOffer(draft) {
        dropDraft(draft.key)
        set(({ offered = [] }) => ({ offered: without(offered, draft) }))
      },
      // The reason stays until the line is entered again or removed.
      type(text) {
        const { key = newDraftKey(place) } = get()
        if (text === '') drop(key)
        else keep(key, text)
        set(text === '' ? emptyBox : { text, key })
      },
      dismiss: (words) => set(({ dismissed }) => ({ dismissed: [...dismissed, words.toLowerCase()] })),
      enter(draft, send) {
        const { text, dismissed, key } = get()
        set(emptyBox)
        sendAfterOthers({ text, dismissed, key, draft }, send)
      },
      sendAgain(line, send) {
        set(({ failed }) => ({ failed: failed.filter((other) => other !== line) }))
        sendAfterOthers(line, send)
      },
      discard(line) {
        drop(line.key)
        set(({ failed }) => ({ failed: failed.filter((other) => other !== line) }))
      },
    }
  })

const without = (drafts: KeptDraft[], { key }: KeptDraft) => drafts.filter((draft) => draft.key !== key)

/** The line is back in the box, unless there is another one by now. */
function afterFailure(
  { text, sending, failed }: QuickLines,
  line: Line,
  reason: string,
): Partial<QuickLines> {
  const others = sending.filter((other) => other !== line)
  if (text === '' && others.length === 0 && failed.length === 0)
    return { text: line.text, dismissed: line.dismissed, key: line.key, reason, sending: [] }
  return { sending: others, failed: [...failed, { ...line, reason }] }
}

/** The lines of the dashboard with this cache: they stay while the reader goes from view to view. */
export const quickLinesOf = perCache(createQuickLines)
