import type { ChangeResults, Delta } from '#contract/changes.ts'
import type { Write } from '../../api/client.ts'
import { type Answer, summarized } from './known-items.ts'

type OfKind = { kind: string; item: unknown }
type ItemOf<Each extends OfKind, Kind> = NonNullable<Extract<Each, { kind: Kind }>['item']>

/** Returns the items of one kind that an answer contains. */
export const itemsOf = <Each extends OfKind, Kind extends Each['kind']>(
  kind: Kind,
  entries: readonly Each[] = [],
): ItemOf<Each, Kind>[] =>
  entries.flatMap((entry) => (entry.kind === kind && entry.item ? [entry.item as ItemOf<Each, Kind>] : []))

/** The answer to a write as `GET /changes` would return it to a page that has all changes before. */
export const deltaOf = (data: Write['data'], cursor: string): Delta => {
  const items =
    'task' in data
      ? [{ kind: 'task' as const, item: data.task }]
      : data.items.flatMap((result): NonNullable<Delta['items']> => {
          if (!result.item) return []
          return result.kind === 'note'
            ? [{ kind: 'note', item: summarized(result.item) }]
            : [{ kind: 'task', item: result.item }]
        })
  return { items, cursor, more: false }
}

/** The items in the answer to a write, as they are now. */
export const itemsIn = ({ items }: Pick<ChangeResults, 'items'>): Answer => ({
  tasks: itemsOf('task', items),
  texts: itemsOf('note', items),
})
