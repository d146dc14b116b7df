type Entry = {
  /** The groups of the caller, from the widest to the narrowest, such as a site and one of its networks. */
  groups: readonly string[]
  start: () => void
  reject: (error: Error) => void
}

/**
 * Limits the work that runs and waits concurrently. The groups take turns, so a group with many entries delays only
 * itself. When the queue is full, the newest entry of the group with the most entries is rejected.
 */
export function createFairQueue(max: { running: number; waiting: number }, rejection: () => Error) {
  const waiting: Entry[] = []
  /** The last turn of each waiting group. A new group gets the current turn. */
  const lastTurn = new Map<string, number>()
  let turn = 0
  let running = 0

  /** Removes and returns the oldest entry of the group whose last turn was longest ago, at each level of groups. */
  function takeNext(): Entry | undefined {
    const [next] = waiting.toSorted((a, b) => compare(turnsOf(a), turnsOf(b)))
    if (!next) return undefined
    turn++
    for (const group of next.groups) lastTurn.set(group, turn)
    remove(next)
    return next
  }

  function remove(entry: Entry) {
    waiting.splice(waiting.indexOf(entry), 1)
    for (const group of entry.groups) {
      if (!waiting.some(({ groups }) => groups.includes(group))) lastTurn.delete(group)
    }
  }

  const turnsOf = ({ groups }: Entry) => groups.map((group) => lastTurn.get(group) ?? turn)

  function rejectOne() {
    let candidates: readonly Entry[] = waiting
    const depth = waiting[0]?.groups.length ?? 0
    for (let level = 0; level < depth; level++) candidates = largestGroup(candidates, level)
    const last = candidates.at(-1) as Entry
    remove(last)
    last.reject(rejection())
  }

  function startNext() {
    if (running >= max.running) return
    const next = takeNext()
    if (!next) return
    running++
    next.start()
  }

  return async function inTurn<T>(groups: readonly string[], work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start, reject) => {
      for (const group of groups) if (!lastTurn.has(group)) lastTurn.set(group, turn)
      waiting.push({ groups, start, reject })
      startNext()
      if (waiting.length > max.waiting) rejectOne()
    })
    try {
      return await work()
    } finally {
      running--
      startNext()
    }
  }
}

/** Returns the entries of the largest group; among equal groups, of the one with the newest entry. */
function largestGroup(entries: readonly Entry[], level: number): readonly Entry[] {
  const groupOf = ({ groups }: Entry) => groups[level] ?? ''
  const sizes = new Map<string, number>()
  for (const entry of entries) sizes.set(groupOf(entry), (sizes.get(groupOf(entry)) ?? 0) + 1)
  const largest = Math.max(...sizes.values())
  const last = entries.findLast((entry) => sizes.get(groupOf(entry)) === largest)
  return entries.filter((entry) => last && groupOf(entry) === groupOf(last))
}

function compare(a: readonly number[], b: readonly number[]) {
  const level = a.findIndex((value, i) => value !== b[i])
  return level < 0 ? 0 : (a[level] as number) - (b[level] as number)
}
