import fc from 'fast-check'
import { rounds } from '../../../server/testing/rounds.ts'
import { type How, timedOut } from './stepped-browser.ts'

/** `npm run torture` runs 50,000 scripts, half of them of each kind. `SCRIPTS` is another number of each kind. */
export const numRuns = Number(process.env.SCRIPTS ?? rounds(25_000, 100))

export const how = fc.constantFrom<How>('answer', 'answer', 'answer', 'answer', 'double', 'lose', 'lose')
/** What a gateway answers. With 0, nothing does. */
export const status = fc.constantFrom(0, 0, timedOut, 408, 429, 502, 503, 504, 522)

/** A step of a script, which occurs as often as its weight says. */
export const of = <Kind extends string, Values extends object>(
  kind: Kind,
  weight: number,
  values: { [Name in keyof Values]: fc.Arbitrary<Values[Name]> },
) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), ...values }) as never as fc.Arbitrary<
    { kind: Kind } & Values
  >,
})
