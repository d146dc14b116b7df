import type { Calls } from '#contract/calls.ts'
import { type FieldCode, fieldCodes } from '#contract/field-codes.ts'
import { type ProblemCode, problemCodes } from '#contract/problem-codes.ts'
import { codesIn } from './documented-schemas.ts'

/** The codes of every call, and those that its body, its token and its method add. */
const always: ProblemCode[] = [
  ...(['invalid-fields', 'invalid-url', 'invalid-request', 'malformed-http', 'request-timeout'] as const),
  ...(['wrong-host', 'too-many-attempts', 'headers-too-large', 'unexpected', 'overloaded'] as const),
  ...(['database-unreachable', 'database-partly-unreachable', 'database-too-busy', 'database-busy'] as const),
  ...(['database-inaccessible', 'database-corrupt'] as const),
]
const withBody: ProblemCode[] = [
  ...(['body-too-large', 'chunk-extensions-too-large', 'not-json', 'too-many-uploads'] as const),
]
const withToken: ProblemCode[] = ['token-missing', 'token-invalid', 'scope-too-narrow', 'account-gone']
const withWrites: ProblemCode[] = [
  ...(['database-read-only', 'database-damaged', 'database-lost', 'outcome-unknown'] as const),
  ...(['too-many-writes', 'storage-full'] as const),
]

/** Returns the error responses of a call by status, with their codes. `request`: the schemas of its body and its parameters. */
export function problemsOf(
  call: Calls[string],
  method: string,
  request: { body: unknown; parameters: unknown },
) {
  const { access, unauthorized, problems = [], fieldCodes: own = [] } = call
  const codes: ProblemCode[] = [
    ...always,
    ...(access === 'none' ? [] : withToken),
    // A client can send a body to a call that takes none.
    ...(method === 'GET' ? [] : [...withBody, ...withWrites]),
    // An id that is too long for any path of a call is looked for among the pages.
    ...(method === 'GET' && call.params ? (['no-such-path'] as const) : []),
    ...problems,
  ]
  const fields = new Set<FieldCode>([
    ...codesIn(request),
    ...(method === 'GET' ? [] : (['unreadable', 'too-complex'] as const)),
    ...own,
    'ambiguous-host',
  ])
  const statusOf = (code: ProblemCode) => {
    const { status } = problemCodes[code]
    return status === 401 && unauthorized ? unauthorized : status
  }
  const responses = [...Map.groupBy(codes, statusOf)].map(([status, each]) => [
    status,
    response(each, [...fields]),
  ])
  return Object.fromEntries(responses)
}

function response(codes: ProblemCode[], fields: FieldCode[]) {
  const found = codes.includes('invalid-fields')
    ? `\n\n\`errors[].code\` is one of ${fields.map(named(fieldCodes)).join(', ')}.`
    : ''
  const problem = { $ref: '#/components/schemas/Problem' }
  const schema = { allOf: [problem, { properties: { code: { enum: codes } } }] }
  return {
    description: codes.map(describe).join('\n') + found,
    content: { 'application/problem+json': { schema } },
  }
}

/** As in "- `too-many-attempts` (`seconds`): Too many attempts. Wait 2 seconds before the next one." */
function describe(code: ProblemCode) {
  const { params, message } = problemCodes[code]
  const examples = Object.entries(params as Record<string, { examples: unknown[] }>).map(
    ([name, { examples }]) => [name, examples[0]],
  )
  return `- ${named(Object.fromEntries([[code, params]]))(code)}: ${message(Object.fromEntries(examples) as never)}`
}

const named = (all: Record<string, object>) => (code: string) => {
  const names = Object.keys(all[code] ?? {}).map((name) => `\`${name}\``)
  return `\`${code}\`${names.length > 0 ? ` (${names.join(', ')})` : ''}`
}
