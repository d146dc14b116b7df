import { excerptOf } from '#contract/excerpt.ts'
import { searchedTexts } from '#contract/fields.ts'
import { foldedTexts } from '#contract/folding.ts'
import type { Note } from '#contract/notes.ts'
import type { Found } from '#contract/search.ts'
import { compareRanks, hasWords, inTitle, type Rank } from '#contract/search-rules.ts'
import { fewHits, isMistypable, similarTo } from '#contract/similar-words.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import type { Engine } from '../engine/engine.ts'
import type { Item } from '../engine/entry.ts'
import { isTask, textsOf } from '../engine/store/item-rules.ts'
import type { Store } from '../engine/store/store.ts'

/** More tasks would block the page: then the server alone answers, if it does. */
const maxTasks = 30_000

const foldedTasks = new WeakMap<Task, string>()

export function foldedTaskText(task: Task): string {
  const folded = foldedTasks.get(task) ?? foldedTexts(searchedTexts(taskFields, task))
  foldedTasks.set(task, folded)
  return folded
}

/** `similar`: the words that were found in place of those of the search. */
type Hit<Of> = Rank & { item: Of; similar: string[] }

type Searched = { item: Item; folded: string; texts: readonly (string | null)[] }

/** Undefined if the item has neither the words nor, if `similarIn` is given, similar ones. */
export function hitOf<Of extends Searched>(
  { item, folded, texts }: Of,
  words: readonly string[],
  similarIn?: ReturnType<typeof similarTo>,
): Hit<Of['item']> | undefined {
  const isExact = hasWords(folded, words, texts)
  const similar = isExact ? [] : similarIn?.(folded, texts)
  if (!similar) return
  return {
    ...{ item, id: item._id, similar, isSimilar: !isExact },
    isDone: isTask(item) && item.doneAt !== null,
    inTitle: !isExact || inTitle(folded, words, texts),
    at: Date.parse(isTask(item) ? (item.doneAt ?? item.createdAt) : item.changedAt),
  }
}

/** In the order of the server. Undefined if the store is not complete or has more than `most` tasks. */
export function foundInStore(
  store: Pick<Store, 'isComplete' | 'tasks' | 'notes' | 'text'>,
  words: readonly string[],
  limit: number,
  most = maxTasks,
): Found | undefined {
  if (!store.isComplete) return
  const tasks = [...store.tasks()]
  if (tasks.length > most) return
  const textsIn = (item: Item) => textsOf(store, item)
  const searched: Searched[] = [
    ...tasks
      .filter(({ deletedAt }) => deletedAt === null)
      .map((item) => ({ item, folded: foldedTaskText(item), texts: textsIn(item) })),
    ...store.notes(false).map((item) => {
      const texts = textsIn(item)
      return { item, folded: foldedTexts(texts), texts }
    }),
  ]
  const exact = searched.flatMap((item) => hitOf(item, words) ?? [])
  const isFew = exact.length < fewHits && words.some(isMistypable)
  const similarIn = isFew ? similarTo(words) : undefined
  const hits = isFew ? searched.flatMap((item) => hitOf(item, words, similarIn) ?? []) : exact
  const similar = [...new Set(hits.flatMap((hit) => hit.similar))].sort()
  hits.sort(compareRanks)
  const foundTasks = hits.map(({ item }) => item).filter(isTask)
  const notes = hits.flatMap(({ item, similar }) => (isTask(item) ? [] : [{ item, similar }]))
  return {
    tasks: foundTasks.slice(0, limit),
    notes: notes.slice(0, limit).map(({ item, similar: own }) => ({
      ...item,
      excerpt: excerptOf(textsIn(item).join('\n'), [...words, ...own]),
    })),
    similar,
    more: Math.max(foundTasks.length, notes.length) > limit,
    complete: true,
  }
}

export async function* textsWith(
  words: readonly string[],
  { store, device }: Pick<Engine, 'store' | 'device'>,
): AsyncGenerator<Note[]> {
  const { texts } = await device.promise
  for await (const part of texts.all())
    yield part.filter(
      ({ _id, text }) => store.note(_id)?.deletedAt === null && hasWords(foldedTexts([text]), words, [text]),
    )
}
