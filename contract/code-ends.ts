/**
 * Returns the function that finds the end of inline code that begins with a run of backticks: after the next run of as many.
 * It is called for one run after another, so it reads the text once.
 */
export function codeEndsIn(text: string): (from: number, ticks: number) => number | undefined {
  /** Where runs of each length begin, the next one last. */
  let runs: Map<number, number[]> | undefined
  return (from, ticks) => {
    runs ??= runsIn(text)
    const starts = runs.get(ticks) ?? []
    while (Number(starts.at(-1)) < from) starts.pop()
    const start = starts.at(-1)
    return start === undefined ? undefined : start + ticks
  }
}

function runsIn(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
    const starts = runs.get(run.length) ?? []
    runs.set(run.length, starts)
    starts.push(index)
  }
  return runs
}
