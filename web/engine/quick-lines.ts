import { createStore } from 'zustand/vanilla'
import { isBlank } from '#contract/blank.ts'
import type { TaskValues } from '#contract/tasks.ts'
import type { Changes } from './changes.ts'
import { type Entry, itemId } from './entry.ts'
import type { Journal } from './journal/journal.ts'
import type { FormDrafts, KeptDraft, Unsent } from './kept/unsent-storage.ts'
import { add as addTask } from './verbs/add-edit.ts'

/**
 * The text in the box, and the words in it that the reader has turned back into text. `key` is the key of the draft that keeps
 * the text in the browser until the line is entered.
 */
type Typed = { text: string; dismissed: readonly string[]; key?: string | undefined }

export type QuickLines = Typed & {
  /** The drafts of earlier visits that were not entered, newest first; undefined until they are looked up. */
  offered: KeptDraft[] | undefined
  lookUpOffers: () => void
  restore: (draft: KeptDraft) => void
  discardOffer: (draft: KeptDraft) => void
  /** Several pasted lines, which are kept like a typed one until they are added or discarded. */
  pasted?: { text: string; key: string | undefined } | undefined
  paste: (text: string) => void
  type: (text: string) => void
  /** Puts text of another program into the box. Any site can send it, so it is no draft until it is edited. */
  share: (text: string) => void
  dismiss: (words: string) => void
  /** Adds the task of the line, and takes the line out of the box. */
  enter: (values: TaskValues) => void
  /** Puts a line that was not added back into the box. The text in the box becomes an offered draft. */
  edit: (line: Entry) => void
}

const emptyBox = { text: '', dismissed: [], key: undefined }

/** Whether a text has several lines, which the box would join. */
export const isSeveralLines = (text: string) =>
  text.split(/[\r\n]+/).filter((line) => !isBlank(line)).length > 1

/** The place of the drafts. */
const place = 'quick'

/** A line as it is kept: as it was typed. Its words are read again when it is restored. */
const draftOf = (title: string) => ({
  values: { title },
  at: Date.now(),
})

type Parts = { journal: Journal; changes: Changes; unsent: Unsent; formDrafts: FormDrafts }

/** The text of the quick line, until it is entered. It stays while the reader goes from view to view. */
export const createQuickLines = ({ journal, changes, unsent, formDrafts }: Parts) =>
  createStore<QuickLines>()((set, get) => {
    const drop = (key: string | undefined) => key && unsent.drop(key)

    /** Keeps a shared text, which the person replaces. */
    function keepShared() {
      const { text, key, type } = get()
      if (text !== '' && key === undefined) type(text)
    }

    /** Puts this into the box, and offers the draft that it replaces. */
    function putIntoBox(typed: Typed, offered: KeptDraft[] = []) {
      const { text, key } = get()
      const replaced = text !== '' && key !== undefined ? [{ ...draftOf(text), key }] : []
      set({ ...emptyBox, ...typed, offered: [...offered, ...replaced] })
    }

    return {
      ...emptyBox,
      offered: undefined,
      lookUpOffers: () => set(({ offered = formDrafts.all(place) }) => ({ offered })),
      restore(draft) {
        const { key, values } = draft
        const text = values.title ?? ''
        const offered = withoutDraft(get().offered, draft)
        if (isSeveralLines(text)) return set({ pasted: { text, key }, offered })
        keepShared()
        putIntoBox({ text, dismissed: [], key }, offered)
      },
      discardOffer(draft) {
        unsent.drop(draft.key)
        set(({ offered }) => ({ offered: withoutDraft(offered, draft) }))
      },
      paste(text) {
        const key = formDrafts.newKey(place)
        if (key) formDrafts.keep(key, draftOf(text))
        set({ pasted: { text, key } })
      },
      type(text) {
        const { key = formDrafts.newKey(place) } = get()
        if (text === '') drop(key)
        else if (key) formDrafts.keep(key, draftOf(text))
        set(text === '' ? emptyBox : { text, key })
      },
      share(text) {
        get().lookUpOffers()
        putIntoBox({ text, dismissed: [] }, get().offered)
      },
      dismiss: (words) => set(({ dismissed }) => ({ dismissed: [...dismissed, words.toLowerCase()] })),
      enter(draft) {
        const { text, dismissed, key } = get()
        const id = itemId(Date.now())
        changes.make([addTask.make(id, draft)], { typed: { text, dismissed } })
        // Without space in the browser, the line stays.
        if (!journal.entries().some(({ item }) => item === id)) return
        set(emptyBox)
        drop(key)
      },
      edit(line) {
        journal.withdraw(line)
        const { text = '', dismissed = [] } = line.typed ?? {}
        const key = formDrafts.newKey(place)
        if (key) formDrafts.keep(key, draftOf(text))
        keepShared()
        putIntoBox({ text, dismissed, key }, get().offered)
      },
    }
  })

export const withoutDraft = (drafts: readonly KeptDraft[] = [], { key }: KeptDraft) =>
  drafts.filter((draft) => draft.key !== key)
