/**
 * What an address is, in notes and in the bodies of tasks: `https://`, `http://` or `mailto:` and what follows, `www.` and a
 * name, or an email address.
 */

/** White space, invisible characters, and characters that end an address: quotation marks and those of Chinese and Japanese texts. */
const ends = String.raw`\s\p{C}<>"${'`'}|\\\p{Pi}\p{Pf}„‚…\u3000-\u303F\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65`

/** Two addresses can have a comma or a semicolon alone between them. */
const rest = String.raw`(?:(?![,;](?:https?:\/\/|mailto:|www\.))[^${ends}])+`

/** Of the scripts whose words end at a space: an email address is also found between Japanese words. */
const letter = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}`

const email =
  String.raw`(?<![${letter}_])[${letter}_][${letter}._%+\-]{0,63}@[${letter}\-]+(?:\.[${letter}\-]+)*` +
  String.raw`\.\p{L}(?:[${letter}\-]*[${letter}])?`

/** Finds addresses, with the punctuation that may follow them. For expressions with the flags `i` and `u`. */
export const addressPattern = [
  String.raw`(?<![a-z\d])(?:https?:\/\/(?=[\p{L}\p{N}_]|\[[\da-f:.]+\])|mailto:)${rest}`,
  String.raw`(?<![\p{L}\p{N}_.\/@\-])www\.(?=[\p{L}\p{N}])${rest}`,
  email,
].join('|')

/** An address between angle brackets, which is all that is between them. */
export const enclosedPattern = String.raw`<(?:(?:https?:\/\/|mailto:)[^\s\p{Cc}<>]+|${email})>`

const opening: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/**
 * The found address without what belongs to the sentence around it: the punctuation at its end, and what begins with a
 * closing bracket that it does not open.
 */
export function withoutSentence(found: string): string {
  const open: Record<string, number> = { '(': 0, '[': 0, '{': 0 }
  let end = 0
  for (; end < found.length; end++) {
    const character = found.charAt(end)
    if (character in open) open[character] = Number(open[character]) + 1
    const bracket = opening[character]
    if (bracket === undefined) continue
    if (open[bracket] === 0) break
    open[bracket] = Number(open[bracket]) - 1
  }
  while (end > 0 && `.,:;!?'*_~([{`.includes(found.charAt(end - 1))) end--
  return found.slice(0, end)
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
