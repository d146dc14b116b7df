import type { ChangeResults } from '#contract/changes.ts'
import type { Answer } from './known-items.ts'

type Entry = { kind: string; item: unknown }
type ItemOf<Each extends Entry, Kind> = NonNullable<Extract<Each, { kind: Kind }>['item']>

/** Returns the items of one kind that an answer contains. */
export const itemsOf = <Each extends Entry, Kind extends Each['kind']>(
  kind: Kind,
  entries: readonly Each[] = [],
): ItemOf<Each, Kind>[] =>
  entries.flatMap((entry) => (entry.kind === kind && entry.item ? [entry.item as ItemOf<Each, Kind>] : []))

/** The items in the answer to a write, as they are now. */
export const itemsIn = ({ items }: Pick<ChangeResults, 'items'>): Answer => ({
  items: items.flatMap(({ kind, item }) => (kind === 'note' || !item ? [] : [item])),
  texts: itemsOf('note', items),
})
