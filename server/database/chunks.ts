/** The parts of a list that one statement takes. */
export function* chunksOf<Entry>(list: readonly Entry[], size: number): Generator<Entry[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size)
}
