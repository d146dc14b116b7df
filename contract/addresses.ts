/**
 * The addresses in notes and in the bodies of tasks. An address is an email address, begins with `https://`, `http://` or
 * `mailto:`, or is a name that begins with `www.`.
 */

/**
 * The characters that end an address. They are white space, invisible characters, quotation marks, and the punctuation of
 * Chinese and Japanese.
 */
const ends = String.raw`\s\p{C}<>"${'`'}|\\\p{Pi}\p{Pf}„‚…\u3000-\u303F\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65`

/** Two addresses can have a comma or a semicolon alone between them. A closing bracket may belong to the sentence. */
const rest = String.raw`(?:(?![,;](?:https?:\/\/|mailto:|www\.))[^${ends})\]}])+`
const bracketAndRest = new RegExp(String.raw`[)\]}](?:${rest})?`, 'iuy')

/**
 * The letters of scripts whose words end at a space. In other scripts, such as Japanese, an email address may be next to a
 * word.
 */
const letter = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}`

const email =
  String.raw`(?<![${letter}_])[${letter}_][${letter}._%+\-]{0,63}@[${letter}\-]+(?:\.[${letter}\-]+)*` +
  String.raw`\.\p{L}(?:[${letter}\-]*[${letter}])?`

/** Finds addresses up to their first closing bracket, with the punctuation that may follow them. For the flags `i` and `u`. */
export const addressPattern = [
  String.raw`(?<![a-z\d])(?:https?:\/\/(?=[\p{L}\p{N}_]|\[[\da-f:.]+\])|mailto:)${rest}`,
  String.raw`(?<![\p{L}\p{N}_.\/@\-])www\.(?=[\p{L}\p{N}])${rest}`,
  email,
].join('|')

/** An address between angle brackets, which is all that is between them. */
export const enclosedPattern = String.raw`<(?:(?:https?:\/\/|mailto:)[^\s\p{Cc}<>]+|${email})>`

const opening: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/**
 * The address of which `addressPattern` has found the beginning, without what belongs to the sentence around it: the punctuation at
 * its end, and what begins with a closing bracket that it does not open. Nothing behind that bracket is read.
 */
export function wholeAddress(text: string, from: number, found: number): string {
  const open: Record<string, number> = { '(': 0, '[': 0, '{': 0 }
  let [at, end] = [from, found]
  for (;;) {
    for (; at < end; at++) {
      const character = text.charAt(at)
      const bracket = opening[character]
      if (character in open) open[character] = Number(open[character]) + 1
      // The host of an address can be in brackets.
      else if (bracket) open[bracket] = Number(open[bracket]) - 1
    }
    const bracket = opening[text.charAt(end)]
    if (bracket === undefined || open[bracket] === 0) break
    bracketAndRest.lastIndex = end
    bracketAndRest.test(text)
    end = bracketAndRest.lastIndex
  }
  while (end > from && `.,:;!?'*_~([{`.includes(text.charAt(end - 1))) end--
  return text.slice(from, end)
}

const protocols = ['http:', 'https:', 'mailto:']

/** Where an address leads. Undefined if it is none, or one with another scheme, such as `javascript:`. */
export function hrefOf(address: string): string | undefined {
  const href = withProtocol(address)
  if (!URL.canParse(href)) return
  const { protocol, host, pathname } = new URL(href)
  return protocols.includes(protocol) && (protocol === 'mailto:' ? pathname : host) ? href : undefined
}

/** `www.example.org` and `ada@example.org` are addresses too. */
function withProtocol(address: string): string {
  if (/^www\.[^.]/i.test(address)) return `https://${address}`
  return /^[^\s:/@]+@[^\s:/@]+\.[^\s:/@]+$/.test(address) ? `mailto:${address}` : address
}
