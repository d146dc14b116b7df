import { renameTag } from '../changes/rename-tag.ts'
import type { Dashboard } from '../state/dashboard.tsx'

/** The changes that rename or remove a tag in the titles and bodies of all tasks, as they are now. */
export const changesInTasks = (
  { store, tags }: Pick<Dashboard, 'store' | 'tags'>,
  tag: string,
  name: string | undefined,
) => [...tags.of(tag).ids].flatMap((id) => store.task(id) ?? []).map((task) => renameTag(task, tag, name))
