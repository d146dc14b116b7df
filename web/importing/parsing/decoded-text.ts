import { ImportError } from './import-codes.ts'

/** How many characters are examined to decide whether a file is a text. */
const examined = 4096

/** Characters that programs write into texts: tab, line feed, vertical tab, form feed, carriage return. */
const isAllowedControl = (code: number) => code >= 9 && code <= 13

/**
 * Returns the text of a file in UTF-8, UTF-16 or Windows-1252, by its byte order mark or by its content. Refuses what is no text.
 * `isStart`: whether the bytes may end inside a character.
 */
export function decodedText(bytes: Uint8Array, file: string, isStart = false): string {
  if (isArchive(bytes)) throw new ImportError('other-archive', {}, { file })
  const text = decode(bytes, isStart)
  // Pictures and archives have U+0000, or more control characters than any text.
  const nul = text.indexOf('\0')
  const start = text.slice(0, examined)
  const controls = [...start.matchAll(/\p{Cc}/gu)].filter(
    ([character]) => !isAllowedControl(character.charCodeAt(0)),
  )
  const isBinary = controls.length > 2 && controls.length > start.length / 50
  const found = nul >= 0 ? nul : isBinary ? controls[0]?.index : undefined
  if (found !== undefined) throw new ImportError('not-text', {}, { file, ...positionIn(text, found) })
  return text
}

/** Zip, gzip, 7z and RAR by how they begin, and tar, which Joplin calls JEX. */
function isArchive(bytes: Uint8Array): boolean {
  const textAt = (from: number) => String.fromCharCode(...bytes.subarray(from, from + 5))
  const start = textAt(0)
  const beginnings = ['PK\x03\x04', '\x1f\x8b', '7z\xbc\xaf', 'Rar!']
  return textAt(257) === 'ustar' || beginnings.some((beginning) => start.startsWith(beginning))
}

function decode(bytes: Uint8Array, isStart: boolean): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return decoded('utf-16le', bytes)
  if (first === 0xfe && second === 0xff) return decoded('utf-16be', bytes)
  const zeros = [0, 0]
  for (let index = 0; index < Math.min(bytes.length, examined); index++)
    if (bytes[index] === 0) zeros[index % 2] = Number(zeros[index % 2]) + 1
  // Letters of Latin script have a zero in each pair of bytes.
  const [even = 0, odd = 0] = zeros
  const half = Math.min(bytes.length, examined) / 2
  if (odd > half * 0.4 && even < half * 0.05) return decoded('utf-16le', bytes)
  if (even > half * 0.4 && odd < half * 0.05) return decoded('utf-16be', bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isStart })
  } catch {
    return decoded('windows-1252', bytes)
  }
}

const decoded = (encoding: string, bytes: Uint8Array) => new TextDecoder(encoding).decode(bytes)

/** Yields the lines of a text without their line feeds, and the number of each. */
export function* linesOf(text: string): Generator<{ line: string; row: number }> {
  let row = 0
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    yield { line: text.slice(start, end), row: ++row }
    start = end + 1
  }
}

/** The row and the column of a place in a text. */
export function positionIn(text: string, index: number): { row: number; column: string } {
  let [row, start] = [1, 0]
  for (let end = text.indexOf('\n'); end >= 0 && end < index; end = text.indexOf('\n', start)) {
    row++
    start = end + 1
  }
  return { row, column: String(index - start + 1) }
}
