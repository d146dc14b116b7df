import { randomId } from '../../api/random-id.ts'
import type { Draft, Sent } from '../kept/note-drafts.ts'
import type { DocumentPort } from './document-port.ts'
import type { NoteText } from './note-text.ts'

/**
 * Until a draft is written, in milliseconds. A short one is written before the next key, so that a page that ends without notice
 * loses nothing; writing a long one takes time, so it is written less often.
 */
const delay = (length: number) => (length <= 2000 ? 0 : 250 + length / 50)

export type NoteDraft = ReturnType<typeof createNoteDraft>

/**
 * The part of a text that the server does not have. It consists of the change that was sent and has no answer yet, and of the
 * text typed since. The browser keeps both.
 */
export function createNoteDraft(port: DocumentPort, text: NoteText, { id, ...begin }: Draft) {
  let { sent, since } = begin
  let timer: ReturnType<typeof setTimeout> | undefined

  const isEmptyAndNew = () => text.stored().version === 0 && !sent && text.now() === ''
  const isUnsaved = () => (sent !== undefined || text.now() !== text.stored().text) && !isEmptyAndNew()

  /** Writes or removes the draft. Returns false if the browser has no space for it. */
  function keep(): boolean {
    stop()
    since = isUnsaved() ? (since ?? Date.now()) : undefined
    const draft = since !== undefined && { id, text: text.now(), stored: text.stored(), sent, since }
    return port.keep(id, draft || undefined)
  }

  function stop() {
    clearTimeout(timer)
    timer = undefined
  }

  return {
    isUnsaved,
    /** Since when, in milliseconds. */
    since: () => since,
    /** Whether a change was sent and has no answer yet. */
    isSent: () => sent !== undefined,
    /** The change to send: the one without an answer as it was, or a new one. */
    next(): Sent {
      sent ??= { text: text.now(), version: text.stored().version, mutation: randomId() }
      return sent
    },
    answered() {
      sent = undefined
    },

    keep,
    keepSoon() {
      timer ??= setTimeout(keep, delay(text.stored().text.length))
    },
    /** Writes the draft now if it was to be written soon. */
    close() {
      if (timer !== undefined) keep()
    },
    remove() {
      stop()
      port.keep(id, undefined)
    },
  }
}
