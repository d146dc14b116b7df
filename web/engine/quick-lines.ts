import { createStore } from 'zustand/vanilla'
import { isBlank } from '#contract/blank.ts'
import type { TaskValues } from '#contract/tasks.ts'
import type { Changes } from './changes.ts'
import { type Entry, itemId } from './entry.ts'
import type { Journal } from './journal/journal.ts'
import type { FormDrafts, KeptDraft, Unsent } from './kept/unsent-storage.ts'
import { add as addTask } from './verbs/add-edit.ts'

/** `dismissed`: the words that the reader has turned back into text. `key`: of the draft that keeps the text. */
type Typed = { text: string; dismissed: readonly string[]; key?: string | undefined }

export type QuickLines = Typed & {
  /** The drafts of earlier visits, newest first; undefined until they are looked up. */
  offered: KeptDraft[] | undefined
  lookUpOffers: () => void
  restore: (draft: KeptDraft) => void
  discardOffer: (draft: KeptDraft) => void
  /** Several pasted lines, kept as a draft until they are added or discarded. */
  pasted?: { text: string; key: string | undefined } | undefined
  paste: (text: string) => void
  type: (text: string) => void
  /** Puts the text of another program into the box. Any site can send it, so it becomes a draft only when it is edited. */
  share: (text: string) => void
  dismiss: (words: string) => void
  enter: (values: TaskValues) => void
  /** Puts a rejected line back into the box. The text in the box becomes an offered draft. */
  edit: (line: Entry) => void
}

const emptyBox = { text: '', dismissed: [], key: undefined }

export const isSeveralLines = (text: string) =>
  text.split(/[\r\n]+/).filter((line) => !isBlank(line)).length > 1

const place = 'quick'

/** The draft of a line as it was typed. A restored line is parsed again. */
const draftOf = (title: string) => ({
  values: { title },
  at: Date.now(),
})

type Parts = { journal: Journal; changes: Changes; unsent: Unsent; formDrafts: FormDrafts }

export const createQuickLines = ({ journal, changes, unsent, formDrafts }: Parts) =>
  createStore<QuickLines>()((set, get) => {
    const drop = (key: string | undefined) => key && unsent.drop(key)

    /** Makes a shared text a draft before it is replaced. */
    function keepShared() {
      const { text, key, type } = get()
      if (text !== '' && key === undefined) type(text)
    }

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
