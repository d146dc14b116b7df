import { Buffer } from 'node:buffer'

/** The maximum length of a file's name with its ending, in bytes of UTF-8. */
const maxBytes = 100

const ending = '.md'

/** Names that Windows keeps for devices, with any ending. */
const devices = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])$/i

/**
 * Returns a function that names the file of a note after its title: by its letters, digits, spaces and hyphens. No name is
 * returned twice, also where the case of letters does not count.
 */
export function noteFileNames(): (title: string) => string {
  const used = new Set<string>()
  /** The number of the next file of a name, so that ten thousand equal titles do not try ten million names. */
  const next = new Map<string, number>()

  return (title) => {
    const name = nameOf(title)
    for (let number = next.get(keyOf(name)) ?? 1; ; number++) {
      const suffix = number === 1 ? '' : ` (${number})`
      const file = cut(name, maxBytes - Buffer.byteLength(suffix + ending)) + suffix
      if (used.has(keyOf(file))) continue
      used.add(keyOf(file))
      next.set(keyOf(name), number + 1)
      return file + ending
    }
  }
}

function nameOf(title: string): string {
  const words = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} -]+/gu, ' ')
    .replace(/ +/g, ' ')
    // Programs read a leading hyphen as an option.
    .replace(/^[ -]+| +$/g, '')
  const name = cut(words, maxBytes - ending.length)
  if (name === '') return 'Untitled'
  return devices.test(name) ? `Note ${name}` : name
}

/** The longest beginning of a text that has at most this many bytes. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  let [kept, length] = ['', 0]
  for (const character of text) {
    length += Buffer.byteLength(character)
    if (length > bytes) break
    kept += character
  }
  return kept.trimEnd()
}

/** The same for names that differ in case alone. */
const keyOf = (name: string) => name.toUpperCase().toLowerCase().normalize('NFC')
