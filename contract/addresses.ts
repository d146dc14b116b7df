/**
 * An address is an email address, begins with `https://`, `http://` or `mailto:`, or is a name that begins with `www.`. White space,
 * invisible characters, quotation marks and the punctuation of Chinese and Japanese end it.
 */
const ends = String.raw`\s\p{C}<>"${'`'}|\\\p{Pi}\p{Pf}„‚…\u3000-\u303F\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65`

/** A character of an address that is no bracket. Two addresses can have a comma or a semicolon alone between them. */
const character = String.raw`(?![,;](?:https?:\/\/|mailto:|www\.))[^${ends}()[\]{}]`

const pairs = (inside: string) => String.raw`\((?:${inside})*\)|\[(?:${inside})*\]|\{(?:${inside})*\}`

/**
 * Brackets are in pairs, two levels deep. A closing one that the address does not open belongs to the sentence around it, and so does
 * the punctuation at the end.
 */
const rest = `(?:${character}|${pairs(`${character}|${pairs(character)}`)}|[([{])+(?<![.,:;!?'*_~([{])`

/** In other scripts, such as Japanese, words do not end at a space, so an email address may be next to a word. */
const letter = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}`

const email =
  String.raw`(?<![${letter}_])[${letter}_][${letter}._%+\-]{0,63}@[${letter}\-]+(?:\.[${letter}\-]+)*` +
  String.raw`\.\p{L}(?:[${letter}\-]*[${letter}])?`

/** Finds addresses, with the flags `i` and `u`. */
export const addressPattern = [
  String.raw`(?<![a-z\d])(?:https?:\/\/(?=[\p{L}\p{N}_]|\[[\da-f:.]+\])|mailto:)${rest}`,
  String.raw`(?<![\p{L}\p{N}_.\/@\-])www\.(?=[\p{L}\p{N}])${rest}`,
  email,
].join('|')

/** An address between angle brackets, which is all that is between them. */
export const enclosedPattern = String.raw`<(?:(?:https?:\/\/|mailto:)[^\s\p{Cc}<>]+|${email})>`

/** Where an address leads. Undefined if it is none, or one with another scheme, such as `javascript:`. */
export function hrefOf(address: string): string | undefined {
  const isEmail = /^[^\s:/@]+@[^\s:/@]+\.[^\s:/@]+$/.test(address)
  const href = (/^www\.[^.]/i.test(address) ? 'https://' : isEmail ? 'mailto:' : '') + address
  if (!URL.canParse(href)) return
  const { protocol, host, pathname } = new URL(href)
  return (/^https?:$/.test(protocol) ? host : protocol === 'mailto:' && pathname) ? href : undefined
}
