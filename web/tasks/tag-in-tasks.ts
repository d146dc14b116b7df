import type { Engine } from '../engine/engine.ts'
import { renameInTask } from '../engine/verbs/renamed-tags.ts'

/** The changes that rename or remove a tag in the titles and bodies of all tasks, as they are now. */
export const changesInTasks = (
  { store, tags }: Pick<Engine, 'store' | 'tags'>,
  tag: string,
  name: string | undefined,
) => [...tags.of(tag).ids].flatMap((id) => store.task(id) ?? []).map((task) => renameInTask(task, tag, name))
