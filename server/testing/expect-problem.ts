import { Ajv } from 'ajv'
import { expect } from 'vitest'
import { type FieldCode, fieldCodes } from '#contract/field-codes.ts'
import type { Problem } from '#contract/problem.ts'
import { type ProblemCode, problemCodes } from '#contract/problem-codes.ts'

const ajv = new Ajv({ allowUnionTypes: true })
const compile = (properties: object, required: string[]) =>
  ajv.compile({ type: 'object', additionalProperties: false, properties, required })

const ofProblems = new Map(
  Object.entries(problemCodes).map(([code, { params }]) => [code, compile(params, Object.keys(params))]),
)
const ofFields = new Map(Object.entries(fieldCodes).map(([code, params]) => [code, compile(params, [])]))

/** Checks that a problem document has nothing but a code, the parameters of this code, and the message that they make. */
export function expectProblem(problem: Problem, status: number) {
  const { type, title, code, params = {}, detail, errors = [], ...rest } = problem
  expect(rest).toEqual({ status })
  expect([type, typeof title]).toEqual(['about:blank', 'string'])
  expect([code, params, ofProblems.get(code)?.(params)]).toEqual([code, params, true])
  if (errors.length === 0) expect(detail).toBe(problemCodes[code as ProblemCode].message(params as never))
  for (const error of errors) {
    const { field, code: rule, params: values = {}, message, ...others } = error
    expect([typeof field, typeof message, others]).toEqual(['string', 'string', {}])
    expect([rule, values, ofFields.get(rule as FieldCode)?.(values)]).toEqual([rule, values, true])
    if (status === 400) expect(detail.toLowerCase()).toContain(`${field} ${message}`.toLowerCase())
  }
}
