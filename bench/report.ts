/** Starts a table in the format of `bench/README.md`. */
export const section = (title: string) => console.log(`\n### ${title}\n\n| | median |\n| --- | --- |`)

export const row = (what: string, value: number | string) =>
  console.log(`| ${what} | ${typeof value === 'number' ? value.toFixed(2) : value} |`)
