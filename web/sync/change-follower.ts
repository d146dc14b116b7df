import type { Delta } from '#contract/changes.ts'

/** What the follower does with changes. */
export type Target = {
  /** Called when a list has arrived with a cursor: from then on there is something to follow. */
  begin(): void
  /** Fetches the changes after a cursor. If it throws, the follower waits for the next reason to ask. */
  fetch(since: string): Promise<Delta>
  /** Shows the changes in all lists. */
  show(delta: Delta): void
  /** Loads what is shown again: the log no longer contains the cursor. */
  reload(): Promise<void>
}

export type ChangeFollower = ReturnType<typeof createChangeFollower>

/** The answer to a write, with the cursor after it. */
type Written = { cursor?: string | undefined }

/** The number of the change that a cursor names. */
export const seqOf = (cursor: string) => Number.parseInt(cursor, 10)

/**
 * Knows up to which change the loaded lists are complete, and fetches what is missing. The cursor of a list's response is
 * where this starts. The page's own changes advance it without a call, if no change of another device lies between.
 */
export function createChangeFollower() {
  let target: Target | undefined
  /** The lists contain all changes up to this cursor. */
  let held: string | undefined
  /** The newest cursor known from a write or the stream. */
  let newest: string | undefined
  /** Writes in progress of one change each, and those of an unknown number of changes. */
  let [writing, writingMany] = [0, 0]
  /** The cursors after writes that ended, by the number of their first change, until the changes before it are known. */
  const own = new Map<number, string>()
  let isRunning = false

  /** Whether a change is missing. One that may come from a write in progress is not: its response follows. */
  function isBehind(): boolean {
    if (held === undefined || newest === undefined || newest === held) return false
    if (writingMany > 0) return false
    const ahead = seqOf(newest) - seqOf(held)
    const passed = [...own].reduce((sum, [first, cursor]) => sum + seqOf(cursor) - first + 1, 0)
    return ahead >= 0 && (writing === 0 || ahead > writing + passed)
  }

  const catchUpIfBehind = () => {
    if (isBehind()) catchUp()
  }

  /** Fetches and shows all changes since the held cursor. */
  function catchUp() {
    if (isRunning || !target || held === undefined) return
    isRunning = true
    const end = () => {
      isRunning = false
    }
    fetchAll().then(() => {
      end()
      // A write may have ended after the last look.
      catchUpIfBehind()
    }, end)
  }

  async function fetchAll() {
    for (let more = true; more && target && held !== undefined; ) {
      const [since, known] = [held, newest]
      const delta = await target.fetch(since)
      if (!target) return
      if (delta.reset) {
        held = newest = undefined
        own.clear()
        try {
          await target.reload()
        } catch (error) {
          // The next reason to ask leads to another reset.
          held ??= since
          throw error
        }
        return
      }
      target.show(delta)
      // An older list may have arrived meanwhile, or the response of a write.
      const isRewound = seqOf(held) < seqOf(since)
      if (!isRewound && delta.cursor && seqOf(delta.cursor) >= seqOf(held)) held = delta.cursor
      advance()
      // A server that does not have an announced change yet is not asked in a loop.
      if (!isRewound && !delta.more && newest === known) newest = held
      more = isRewound || delta.more === true || isBehind()
    }
  }

  /** Passes over the own changes that follow the held one directly. */
  function advance() {
    if (held === undefined) return
    for (let next = own.get(seqOf(held) + 1); next !== undefined; next = own.get(seqOf(held) + 1)) held = next
    for (const first of own.keys()) if (first <= seqOf(held)) own.delete(first)
  }

  function note(cursor: string) {
    if (newest === undefined || seqOf(cursor) > seqOf(newest)) newest = cursor
  }

  async function passOver<Answer extends Written>(
    call: () => Promise<Answer>,
    countOf: (answer: Answer) => number,
    isMany: boolean,
  ): Promise<Answer> {
    if (isMany) writingMany++
    else writing++
    try {
      const answer = await call()
      if (answer.cursor !== undefined) {
        // The response that is on its way may be older than this write, so it is followed by another one.
        const count = countOf(answer)
        if (!isRunning && count > 0) own.set(seqOf(answer.cursor) - count + 1, answer.cursor)
        note(answer.cursor)
        advance()
      }
      return answer
    } finally {
      if (isMany) writingMany--
      else writing--
      catchUpIfBehind()
    }
  }

  return {
    /** The cursor up to which all lists are complete; undefined before the first list. */
    get held() {
      return held
    },

    /** Starts to fetch changes. Returns the function that stops it. */
    start(to: Target) {
      target = to
      if (held !== undefined) to.begin()
      return () => {
        target = undefined
      }
    },

    /** A list arrived that is complete up to this cursor. A server of an earlier version sends none. */
    listed(cursor: string | undefined) {
      if (cursor === undefined) return
      if (held === undefined) {
        held = cursor
        advance()
        target?.begin()
      } else if (seqOf(cursor) < seqOf(held)) {
        // What this list lacks is fetched again. The versions of the tasks decide.
        note(held)
        held = cursor
      }
      catchUpIfBehind()
    },

    /** Makes a write and passes over its change, or over as many as `countOf` says if they are in one transaction. */
    write<Answer extends Written>(
      call: () => Promise<Answer>,
      countOf?: (answer: Answer) => number,
    ): Promise<Answer> {
      return passOver(call, countOf ?? (() => 1), countOf !== undefined)
    },

    /**
     * Makes a write of one item. If it changes nothing, the cursor of its answer names another change, perhaps one of
     * another device, which must not be passed over.
     */
    writeItem<Answer extends Written>(
      call: () => Promise<Answer>,
      itemOf: (answer: Answer) => { version: number } | null | undefined,
    ): Promise<Answer> {
      const countOf = (answer: Answer) =>
        Number(answer.cursor !== undefined && itemOf(answer)?.version === seqOf(answer.cursor))
      return passOver(call, countOf, false)
    },

    /** The stream sent this cursor. After a gap in the stream, any other cursor than the held one is a reason to ask. */
    announced(cursor: string, isAfterGap: boolean) {
      note(cursor)
      if (isAfterGap && cursor !== held) catchUp()
      else catchUpIfBehind()
    },

    /** Fetches what is missing, whatever the stream said. */
    refresh: catchUp,
  }
}
