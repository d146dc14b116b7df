import { isGzip, isTar, isZip } from './archives.ts'
import { type PlainCode, Refusal } from './remarks.ts'

/** How many characters are examined to decide whether a file is a text. */
const examined = 4096

/** Characters that programs write into texts: tab, line feed, vertical tab, form feed, carriage return. */
const isAllowedControl = (code: number) => code >= 9 && code <= 13

/**
 * Returns the text of a file in UTF-8, UTF-16 or Windows-1252, by its byte order mark or by its content. Refuses what is no text.
 * `isStart`: whether the bytes may end inside a character. `onOdd` is called if some letters are in UTF-8 and others are not, with the
 * lines of the others.
 */
export function decodedText(bytes: Uint8Array, file: string, isStart = false, onOdd?: OnOdd): string {
  if (isArchive(bytes)) throw new Refusal('other-archive', { file })
  const first = String.fromCharCode(...bytes.subarray(0, 32))
  const other = otherKinds.find(({ begin, name }) => begin.test(first) && (name?.test(file) ?? true))
  if (other) throw new Refusal(other.code, { file })
  const text = decode(bytes, isStart, onOdd)
  // Pictures and archives have U+0000, or more control characters than any text.
  const nul = text.indexOf('\0')
  const start = text.slice(0, examined)
  const controls = [...start.matchAll(/\p{Cc}/gu)].filter(
    ([character]) => !isAllowedControl(character.charCodeAt(0)),
  )
  const isBinary = controls.length > 2 && controls.length > start.length / 50
  const found = nul >= 0 ? nul : isBinary ? controls[0]?.index : undefined
  if (found !== undefined) throw new Refusal('not-text', { file, ...positionIn(text, found) })
  return text
}

const isArchive = (bytes: Uint8Array) =>
  isZip(bytes) ||
  isGzip(bytes) ||
  isTar(bytes) ||
  /^(7z\xbc\xaf|Rar!)/.test(String.fromCharCode(...bytes.subarray(0, 4)))

const ofOffice = /^\xd0\xcf.\xe0\xa1\xb1/
const ofSqlite = /^SQLite format 3/
const ofPictures =
  /^(?:\x89PNG|\xff\xd8\xff|GIF8|BM[\s\S]{4}\0{4}|II\*\0|MM\0\*|RIFF[\s\S]{4}WEBP|[\s\S]{4}ftyp(?:hei|mif|avif))/
const ofRecordings = /^(?:ID3|OggS|fLaC|RIFF[\s\S]{4}(?:WAVE|AVI )|.E\xdf\xa3|[\s\S]{4}ftyp)/
const ofOneNote = /^(?:\xe4\x52\x5c\x7b|MSCF|\xa1\x2f\xff\x43)/

/** Files that are no texts, by how their bytes begin, a character for each, and by their names. The first that fits is the kind. */
const otherKinds: { code: PlainCode; begin: RegExp; name?: RegExp }[] = [
  { code: 'spreadsheet', begin: ofOffice, name: /\.xl[ast]$/i },
  { code: 'word', begin: ofOffice, name: /\.do[ct]$/i },
  { code: 'office', begin: ofOffice },
  { code: 'pdf', begin: /^%PDF-/ },
  { code: 'picture', begin: ofPictures },
  { code: 'recording', begin: ofRecordings },
  { code: 'onenote', begin: ofOneNote, name: /\.one(?:pkg|toc2)?$/i },
  { code: 'apple-notes', begin: ofSqlite, name: /NoteStore/i },
  { code: 'sqlite', begin: ofSqlite },
  { code: 'outlook', begin: /^!BDN/ },
]

type OnOdd = (lines: { row: number; text: string }[]) => void

function decode(bytes: Uint8Array, isStart: boolean, onOdd?: OnOdd): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return decoded('utf-16le', bytes)
  if (first === 0xfe && second === 0xff) return decoded('utf-16be', bytes)
  const start = bytes.subarray(0, examined)
  // Letters of Latin script have a zero in each pair of bytes.
  const zeros = [0, 1].map((side) => start.filter((byte, index) => byte === 0 && index % 2 === side).length)
  const [even = 0, odd = 0] = zeros.map((count) => count / start.length)
  if (odd > 0.2 && even < 0.025) return decoded('utf-16le', bytes)
  if (even > 0.2 && odd < 0.025) return decoded('utf-16be', bytes)
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  try {
    return utf8.decode(bytes, { stream: isStart })
  } catch {
    return mixed(decoded('utf-8', bytes.subarray(0, 50)).startsWith('BEGIN:') ? unsplit(bytes) : bytes, onOdd)
  }
}

const decoded = (encoding: string, bytes: Uint8Array) => new TextDecoder(encoding).decode(bytes)

/** A calendar may be folded inside a letter (RFC 5545, 3.1). The letter goes before the fold, so that lines keep their numbers. */
function unsplit(bytes: Uint8Array): Uint8Array {
  const whole = bytes.slice()
  const isContinuation = (at: number) => (Number(whole[at]) & 0xc0) === 0x80
  for (let end = whole.indexOf(10); end >= 0; end = whole.indexOf(10, end + 1)) {
    const fold = whole[end - 1] === 13 ? end - 1 : end
    let rest = end + 2
    if (!(whole[end + 1] === 32 || whole[end + 1] === 9) || !(Number(whole[fold - 1]) >= 0x80)) continue
    while (isContinuation(rest) && rest < end + 5) rest++
    const line = whole.slice(fold, end + 2)
    whole.copyWithin(fold, end + 2, rest)
    whole.set(line, rest - line.length)
    end = rest - 1
  }
  return whole
}

/** What is not ASCII is in UTF-8 or else in Windows-1252, each letter or word by itself. */
function mixed(bytes: Uint8Array, onOdd?: OnOdd): string {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const other = new TextDecoder('windows-1252')
  const odd: number[] = []
  const parts: string[] = []
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let [from, length, hasUtf8] = [start, 0, false]
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  for (let at = start; at < bytes.length; at++) {
    if (Number(bytes[at]) < 0x80) continue
    add(other.decode(bytes.subarray(from, at)))
    for (from = at; Number(bytes[at]) >= 0x80; ) at++
    const run = bytes.subarray(from, at)
    try {
      // One byte alone is no letter of UTF-8.
      if (run.length === 1) throw new TypeError()
      add(utf8.decode(run))
      hasUtf8 = true
    } catch {
      odd.push(length)
      add(other.decode(run))
    }
    from = at
  }
  add(other.decode(bytes.subarray(from)))
  const text = parts.join('')
  if (hasUtf8 && odd.length > 0) onOdd?.(linesAt(text, odd))
  return text
}

const mostOddLines = 100

/** The first lines that have one of the places of a text, which are in their order. */
function linesAt(text: string, places: number[]) {
  const lines: { row: number; text: string }[] = []
  let [index, end] = [0, 0]
  for (const { line, row, next } of linesOf(text)) {
    end = next
    if (Number(places[index]) < end) lines.push({ row, text: line })
    while (Number(places[index]) < end) index++
    if (index >= places.length || lines.length >= mostOddLines) break
  }
  return lines
}

/** Yields the lines of a text without what ends them: a line feed, a carriage return or both. `next`: where the next one begins. */
export function* linesOf(text: string): Generator<{ line: string; row: number; next: number }> {
  let [row, start] = [0, 0]
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
    yield { line: text.slice(start, index), row: ++row, next: index + end.length }
    start = index + end.length
  }
  if (start < text.length) yield { line: text.slice(start), row: ++row, next: text.length }
}

export function positionIn(text: string, index: number): { row: number; column: string } {
  let [row, start] = [1, 0]
  for (const line of linesOf(text)) {
    if (line.next > index || line.next === start) break
    row = line.row + 1
    start = line.next
  }
  return { row, column: String(index - start + 1) }
}
