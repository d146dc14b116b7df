/** Starts a table in the format of `bench/README.md`. */
export const section = (title: string, column = 'median') =>
  console.log(`\n### ${title}\n\n| | ${column} |\n| --- | --- |`)

export const row = (what: string, value: number | string) =>
  console.log(`| ${what} | ${typeof value === 'number' ? value.toFixed(2) : value} |`)
