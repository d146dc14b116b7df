import type { Code, ParamsOf } from './import-codes.ts'
import type { ImportedRow, Remark } from './imported.ts'

/** Adds to a row what was left out or changed. `column`: where in the row. */
export function remark<Each extends Code>(
  { remarks, place }: ImportedRow,
  code: Each,
  params: ParamsOf<Each>,
  column?: string,
) {
  remarks.push({ code, params, place: column === undefined ? place : { ...place, column } } as Remark)
}

/** Adds to a row that the value of a column is in no field. */
export const leaveOut = (at: ImportedRow, name: string, value: string) =>
  remark(at, 'value-left-out', { name, value }, name)

/** Returns a text as it can be stored. */
export function stored(text: string, at: ImportedRow) {
  const lines = text.replace(/\r\n?/g, '\n')
  const kept = lines.toWellFormed().replaceAll('\0', '\ufffd')
  if (kept !== lines) remark(at, 'characters-replaced', {})
  return kept
}
