import { type Doubt, inLetters, type Kind, type Rule, rulesOf } from './day-rules.ts'
import type { Language } from './language.ts'
import type { Facts } from './time-of-facts.ts'

export type Token = {
  start: number
  end: number
  /** Where the words that name the day end; a part of the day may follow. */
  dayEnd: number
  /** Where the words end before their part of the day. */
  partStart: number
  kind: Kind
  facts: Facts
  /** A weekday with "this", a time with "at". */
  isLed: boolean
  doubt: Doubt
  ofRepeat: Rule['ofRepeat']
  /** A name that may be another word: "Mo". */
  isShort: boolean
  /** A date with a month that may be another word: "5 may". */
  isDoubtful: boolean
}

const capitalizedOrCut = /^\p{Lu}|\.$/u

/** Returns the function that finds the words in a text that belong to days, in their order; of those that overlap, the first and longest. */
export function tokensIn(languages: Language[], hasDottedDates: boolean) {
  const rules = languages.flatMap((language) => rulesOf(language, hasDottedDates))
  return (text: string): Token[] => {
    const plain = inLetters(text)
    const found = rules.flatMap((rule) =>
      [...plain.matchAll(rule.pattern)].flatMap((match) => tokenOf(rule, match, text) ?? []),
    )
    const hasRepeat = found.some(({ facts }) => facts.rule !== undefined)
    const isNumber = ({ kind }: Token) => Number(kind === 'number')
    found.sort(
      (one, other) => one.start - other.start || other.end - one.end || isNumber(one) - isNumber(other),
    )
    let last = 0
    return found.filter(({ start, end, ofRepeat }) => {
      // "Until" belongs to a repeat, and is a joint like others without one.
      const isFree = start >= last && (hasRepeat || !ofRepeat)
      if (isFree) last = end
      return isFree
    })
  }
}

function tokenOf(
  { kind, names, facts, isLed, doubt, ofRepeat, repeat }: Rule,
  { 0: { length }, index: start, groups = {} }: RegExpExecArray,
  text: string,
): Token | undefined {
  const end = start + length
  const words = text.slice(start, end)
  const said = repeat ? names.repeatOf(repeat, groups) : names.factsOf(groups)
  const stated: Facts = ofRepeat && kind === 'day' ? { [ofRepeat]: said } : { ...facts, ...said }
  // "Drei Uhr" is one of twelve hours, "3 Uhr" is not.
  if (/^\p{L}/u.test(groups.hour ?? '') && stated.half === undefined) stated.twelve ??= 0
  // "At 05" is in the morning.
  if (groups.hour?.startsWith('0')) delete stated.twelve
  const isShort = groups.short !== undefined && stated.date === undefined
  if (isShort && !capitalizedOrCut.test(words)) return
  // "Seite 10 am Freitag"
  if (!isLed && /\sam$/i.test(words) && /^\s+\p{Lu}/u.test(text.slice(end))) return
  const isNoun = names.isNoun.test(words) && text.slice(0, start).trim() !== '' && /^\p{Lu}/u.test(words)
  const partStart = groups.part ? start + words.slice(0, -groups.part.length).trimEnd().length : end
  return {
    start,
    end,
    dayEnd: stated.part === undefined && groups.part ? partStart : end,
    partStart,
    kind: isNoun ? 'qualifier' : kind,
    facts: stated,
    isLed,
    doubt,
    ofRepeat,
    isShort,
    isDoubtful:
      stated.date !== undefined &&
      stated.year === undefined &&
      groups.ordinal === undefined &&
      names.isMonthAWord.test(groups.month ?? ''),
  }
}

/** Without the time that its words name, which then stays in the title. */
export function withoutTime(token: Token): Token {
  const { part, ...facts } = token.facts
  return part === undefined || token.kind === 'time' ? token : { ...token, facts, dayEnd: token.partStart }
}

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
