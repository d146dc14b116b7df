/** Prints the tables of `bench/README.md`, line by line as they are measured. */
export const section = (title: string) => console.log(`\n### ${title}\n\n| | median |\n| --- | --- |`)

export const row = (what: string, value: number | string) =>
  console.log(`| ${what} | ${typeof value === 'number' ? value.toFixed(2) : value} |`)
