/** Whether a text has more characters than `max`. */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && endOf(text, 0, max) < text.length
}

/** Returns the pieces of a text, each of at most `max` characters and, where it is possible, of whole lines. */
export function piecesOf(text: string, max: number): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    let end = endOf(text, from, max)
    if (end < text.length) {
      const [line, space] = ['\n', ' '].map((each) => text.lastIndexOf(each, end - 1))
      const half = from + (end - from) / 2
      if (Number(line) > half) end = Number(line) + 1
      else if (Number(space) > half) end = Number(space) + 1
    }
    pieces.push(text.slice(from, end))
    from = end
  }
  return pieces
}

/** The index after as many characters, counted as Unicode does, or the end of the text. */
function endOf(text: string, from: number, characters: number): number {
  let end = from
  for (let count = 0; count < characters && end < text.length; count++)
    end += Number(text.codePointAt(end)) > 0xffff ? 2 : 1
  return end
}

/** Returns the beginning of a text, with a sign that it goes on. */
export const cutTo = (text: string, max: number): string =>
  isLonger(text, max) ? `${text.slice(0, endOf(text, 0, max - 1)).trimEnd()}…` : text
