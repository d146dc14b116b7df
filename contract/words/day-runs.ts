import type { Token } from './day-tokens.ts'

/** Quoted text is no punctuation. */
const punctuation = /^(?:['’]s)?[^\p{L}\p{N}\uFFFC]*$/u

/** Splits the words of a text that belong to days into runs. Between the words of a run is no other word. */
export function runsOf(tokens: Token[], text: string): Token[][] {
  const runs: Token[][] = []
  for (const token of tokens) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    const isNext = last && punctuation.test(text.slice(last.end, token.start))
    if (run && isNext && token.kind !== 'opener') run.push(token)
    else runs.push([token])
  }
  return runs
}

/** Without the words at both ends of a run that stand there by chance. `isLead`: whether a word leads to a day, such as "by". */
export function trimmed(run: Token[], isLead: (token: Token) => boolean): Token[] {
  const isByChance = (token: Token, beside: Token | undefined) =>
    token.kind === 'time' ||
    (beside !== undefined && (isLead(beside) ? isLoose(token) : isLooseBeside(token, beside)))
  let [first, last] = [0, run.length]
  for (const [index, token] of run.entries()) {
    // "Vom 3. bis 5. Dezember" is two days.
    const isJoined = token.kind === 'number' && run[index - 1]?.kind === 'joint'
    if (!isJoined && isByChance(token, run[index + 1])) first = index + 1
    else if (token.kind === 'day') break
  }
  // Not counted anew for each word, so that a long run takes no longer.
  let dated = run.slice(first).filter(isDated).length
  for (; last > first; last--) {
    const token = run[last - 1] as Token
    const isNumberOfNoDay = token.kind === 'number' && dated === 0
    const isName = token.kind === 'day' && isLooseBeside(token, run[last - 2])
    if (!isBetween(token) && token.kind !== 'time' && !isNumberOfNoDay && !isName) break
    if (isDated(token)) dated--
  }
  return run.slice(first, last)
}

/** Whether a token only connects others. */
export const isBetween = ({ kind }: Token): boolean => kind === 'joint' || kind === 'opener'

const hasTime = ({ facts }: Token) => (facts.hour ?? facts.minutes) !== undefined
const isRelative = (token: Token) => token.facts.offset !== undefined || hasTime(token)
const isDated = (token: Token) => token.kind === 'day' && !isRelative(token)
/** "Call June on friday", "Mo" as a name. */
const mayBeName = ({ kind, facts, isShort }: Token) =>
  kind === 'day' && (isShort || (facts.month !== undefined && facts.date === undefined))
const isLoose = (token: Token) => token.kind === 'number' || token.kind === 'unit' || mayBeName(token)

/** "Chapter 5 tomorrow", "a sick day friday", "call June tomorrow". */
function isLooseBeside(token: Token, beside: Token | undefined): boolean {
  if (beside?.kind !== 'day') return false
  // "Table for 4 at 7", but "9 à 17h" has two times.
  if (token.kind === 'number' && hasTime(beside)) return beside.isLed
  if (token.kind === 'number') {
    const { offset, count, weekend, week, weekday } = beside.facts
    return (offset ?? count ?? weekend ?? week) !== undefined && weekday === undefined
  }
  if (token.kind === 'unit') return isRelative(beside) || beside.facts.weekday !== undefined
  return mayBeName(token) && isRelative(beside) && !(token.isShort && hasTime(beside))
}
