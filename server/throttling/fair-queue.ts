type Entry = {
  /** Whom it is for, from the widest group to the narrowest, such as a site and a network of it. */
  groups: readonly string[]
  start: () => void
  reject: (error: Error) => void
}

/**
 * Runs so much work at a time, and lets so much more wait. The groups take turns, so that one with much waiting slows
 * itself alone. When too much waits, what came last for the group with the most waiting is rejected.
 */
export function createFairQueue(max: { running: number; waiting: number }, rejection: () => Error) {
  const waiting: Entry[] = []
  /** The turn at which each waiting group had its last one; a new group begins with the turn at which it came. */
  const lastTurn = new Map<string, number>()
  let turn = 0
  let running = 0

  /** The first to come of the group whose last turn is the longest ago, in each of its groups. */
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

/** Those of the group with the most entries; of several such groups, the one whose last entry came last. */
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
