/**
 * Returns the name that was probably meant. It differs from `text` by one letter, or by two if the name has at least nine
 * letters. A difference is another letter, an additional one, a missing one, or two that have changed places. If the name has
 * at most five letters, only letters that have changed places count, because too many words differ from `PORT` by one letter.
 */
export const nearestName = (text: string, names: readonly string[]): string | undefined =>
  names.find((name) => {
    if (name.length <= 5) return name !== text && isReordered(name, text)
    const distance = distanceOf(text, name)
    return distance > 0 && distance <= (name.length < 9 ? 1 : 2)
  })

const isReordered = (one: string, other: string) =>
  one.length === other.length && distanceOf(one, other) === 1 && sorted(one) === sorted(other)

const sorted = (text: string) => [...text].sort().join('')

/** The number of letters that are replaced, added, left out or swapped with the next one (optimal string alignment). */
function distanceOf(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    rows.push(next)
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(one.length, other.length)
}
