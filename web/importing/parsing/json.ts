import { positionIn } from './decoded-text.ts'
import { ImportError } from './import-codes.ts'

export type JsonObject = { [name: string]: unknown }

/** Reads JSON. `row`: the line of the file that the text is, if each has its own. */
export function parseJson(text: string, file: string, row?: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ImportError('not-json', {}, { file, ...placeIn(String(error), text, row) })
  }
}

/** Chromium says the line, the column or the position; Firefox the line and the column; Safari neither. */
function placeIn(message: string, text: string, row?: number) {
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? []
  const [, position] = /at position (\d+)/.exec(message) ?? []
  const place =
    line !== undefined && column !== undefined
      ? { row: Number(line), column }
      : positionIn(text, position === undefined ? text.length : Number(position))
  return row === undefined ? place : { ...place, row }
}

/** Returns an object of a file, or refuses the file. `expected`: what it should have, as a part of a sentence. */
export function objectIn(
  value: unknown,
  expected: string,
  place: { file: string; row?: number },
): JsonObject {
  if (!isObject(value)) throw new ImportError('unexpected-json', { expected }, place)
  return value
}

export function arrayIn(value: unknown, expected: string, place: { file: string; row?: number }): unknown[] {
  if (!Array.isArray(value)) throw new ImportError('unexpected-json', { expected }, place)
  return value
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The objects of a list; none if it is no list. */
export const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** A text, or the empty one for anything else. Numbers are ids in some programs. */
export const textIn = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
