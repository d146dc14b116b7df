export const Id = { type: 'string', format: 'uuid' } as const

/** The UUID of 32 hex digits. */
export const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

export const Instant = { type: 'string', format: 'date-time' } as const
/** The text of an instant in milliseconds. */
export const toInstant = (at: number) => new Date(at).toISOString()
export const InstantOrNull = { type: ['string', 'null'], format: 'date-time' } as const

/** A wall clock, `HH:MM`, in a spelling that other programs understand too. */
export const timeOfDay = /^([01][0-9]|2[0-3]):[0-5][0-9]$/

/** Whether a text is a day that exists, in any year. Some browsers take 30 February as 2 March. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** A field of a kind of items. Everything that server and page do with it follows from its declaration. */
export type Field = {
  schema: object
  column: string
  /**
   * How it is stored. `text`: as it is, counted in bytes, and read and written apart from short fields. `day`, `time` and `plain`: as they are.
   * `number`: as it is. `rank`: as the position in its options, from 1. `flag`: as 0 or 1. `instant`: in milliseconds since 1970, or null; an
   * edit says only whether there is one.
   */
  type: 'text' | 'day' | 'time' | 'plain' | 'number' | 'rank' | 'flag' | 'instant'
  /** What is stored for null in a column that sorts lists: the engines sort null differently. No other value is stored so. */
  storedNull?: string
  /** The field without which this one is null. */
  needs?: string
  /** The value of a new item that was given none. Without it, the field is required. */
  default?: string | number | boolean | null
  /** Its name in the form that adds and edits an item. The calls that add and edit it take the fields that have a label. */
  label?: string
  /** Whether people write several lines of it. */
  isLong?: true
  /** Whether searches look in it. The first such field of a kind is its title. */
  isSearched?: true
  /** The field of a change that sets an instant, true or false. */
  setBy?: string
  /** Whether no change sets it, but only the server or an import. */
  isDerived?: true
  /** Whether a change of it requires the version that was edited. */
  needsBase?: true
}
export type Fields = Record<string, Field>

/** Every kind has this field. */
export const deletedAt = {
  schema: InstantOrNull,
  column: 'deleted_at',
  type: 'instant',
  default: null,
  setBy: 'deleted',
} as const satisfies Field

// TypeBox reads the names in `required` and the options of `enum` from tuples only. A tuple of one union is enough.
type Flat<Each> = { [Name in keyof Each]: Each[Name] }
type Names<Of extends Fields, Wanted> = {
  [Name in keyof Of]: Of[Name] extends Wanted ? Name : never
}[keyof Of] &
  string
type Schemas<Of extends Fields, Name extends keyof Of> = { [Each in Name]: Of[Each]['schema'] }
type Optional<Of extends Fields> = Names<Of, { default: unknown }>
type Labelled<Of extends Fields> = Names<Of, { label: string }>

type Properties = Readonly<Record<string, object>>

/** The schema of an object that has the `required` properties, and may have the `optional` ones. */
export const objectOf = <
  const Required extends Properties,
  const Optional extends Properties = Record<never, never>,
>(
  required: Required,
  optional?: Optional,
) =>
  ({
    ...{ type: 'object', required: Object.keys(required), properties: { ...required, ...optional } },
  }) as unknown as {
    type: 'object'
    required: [keyof Required & string]
    properties: Flat<Required & Optional>
  }

const namesOf = (fields: Fields, isWanted: (field: Field) => unknown = () => true) =>
  Object.keys(fields).filter((name) => isWanted(fields[name] as Field))

const schemasOf = (fields: Fields, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, fields[name]?.schema]))

/** The properties of every item besides its fields. */
const frame = {
  _id: Id,
  createdAt: Instant,
  version: { type: 'integer', description: 'The number of the newest change of this item' },
} as const

/** The schema of a whole item: its fields, the properties of every item, and `more`. */
export function itemSchema<const Of extends Fields, const More extends object = object>(
  fields: Of,
  more?: More,
) {
  const labelled = labelledNames(fields)
  const others = namesOf(fields, ({ label }) => !label)
  const { _id, ...rest } = frame
  const properties = { _id, ...schemasOf(fields, labelled), ...rest, ...more, ...schemasOf(fields, others) }
  return { type: 'object', required: Object.keys(properties), properties } as unknown as {
    type: 'object'
    required: [keyof typeof frame | (keyof Of & string) | (keyof More & string)]
    properties: Flat<typeof frame & Schemas<Of, keyof Of> & More>
  }
}

/** The schema of the requests that add and edit an item. A field that a new item may lack is optional. */
export function valuesSchema<const Of extends Fields>(fields: Of) {
  const names = labelledNames(fields)
  const required = names.filter((name) => !isOptional(fields[name] as Field))
  const properties = schemasOf(fields, names)
  return { type: 'object', required, properties, documented: needsOf(fields, names) } as unknown as {
    type: 'object'
    required: [Exclude<Labelled<Of>, Optional<Of>>]
    properties: Schemas<Of, Labelled<Of>>
  }
}

/** The rule that a schema does not contain: fields that need one that is null are null. */
function needsOf(fields: Fields, names: string[]) {
  const needing = names.filter((name) => fields[name]?.needs)
  const needed = [...new Set(needing.map((name) => String(fields[name]?.needs)))]
  return {
    anyOf: [
      { properties: Object.fromEntries(needed.map((name) => [name, { not: { type: 'null' } }])) },
      { properties: Object.fromEntries(needing.map((name) => [name, { type: 'null' }])) },
    ],
  }
}

/** The names of the fields that a form has. */
export const labelledNames = <Of extends Fields>(fields: Of) =>
  namesOf(fields, ({ label }) => label) as Labelled<Of>[]

export const labelledValues = (fields: Fields, values: Record<string, unknown>) =>
  Object.fromEntries(
    labelledNames(fields).flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  )

type SetBy<Of extends Field> = Of extends { setBy: infer Name extends string } ? Name : never

/** The schema of new values of some fields. */
export function setSchema<const Of extends Fields>(fields: Of) {
  const settable = Object.entries(fields).filter(([, { isDerived }]) => !isDerived)
  const properties = settable.map(([name, { setBy, schema }]) =>
    setBy ? [setBy, { type: 'boolean' }] : [name, schema],
  )
  return { type: 'object', properties: Object.fromEntries(properties) } as unknown as {
    type: 'object'
    properties: Flat<
      Schemas<Of, Exclude<keyof Of, Names<Of, { setBy: string } | { isDerived: true }>>> & {
        [Name in SetBy<Of[keyof Of]>]: { type: 'boolean' }
      }
    >
  }
}

/** The name of a field in a change. */
export const setName = (name: string, { setBy }: Field): string => setBy ?? name

export const isOptional = (field: Field): boolean => 'default' in field

/** The values, where each field is null whose needed field is null. */
export function settled<Values extends Record<string, unknown>>(fields: Fields, values: Values): Values {
  const lacking = namesOf(fields, ({ needs }) => needs !== undefined && values[needs] === null)
  return { ...values, ...Object.fromEntries(lacking.map((name) => [name, null])) }
}

export const defaultsOf = <const Of extends Fields>(fields: Of) =>
  Object.fromEntries(namesOf(fields, isOptional).map((name) => [name, fields[name]?.default])) as unknown as {
    [Name in Optional<Of>]: Of[Name]['default']
  }

const valuesIn = (names: string[], item: object): (string | null)[] =>
  names.map((name) => (item as Record<string, string>)[name] ?? null)

/** The texts of an item that count towards what its owner stores. */
export const textsOf = (fields: Fields, item: object) =>
  valuesIn(
    namesOf(fields, ({ type }) => type === 'text'),
    item,
  )

const searchedNames = (fields: Fields) => namesOf(fields, ({ isSearched }) => isSearched)

/** The searched texts of an item, its title first. */
export const searchedTexts = (fields: Fields, item: object) => valuesIn(searchedNames(fields), item)

export const searchedColumns = (fields: Fields) =>
  searchedNames(fields).map((name) => (fields[name] as Field).column)
