import { useEffect, useMemo, useState } from 'react'
import { fold } from '#contract/folding.ts'
import { pageSize } from '#contract/limits.ts'
import type { NoteSummary } from '#contract/notes.ts'
import { call } from '../api/page-client.ts'
import type { Engine } from '../engine/engine.ts'
import { notesWithTag } from '../engine/store/tags-in-use.ts'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { textsWith } from '../tasks/found-in-store.ts'

/** Returns the test whether a note has the tag. For texts that the store does not have, the server is asked, or else the device. */
export function useTaggedNotes(tag: string | undefined) {
  const engine = useEngine()
  const { store, tags } = engine
  const held = useStored(() => tag && tags.notesWith(tag))
  const [found, setFound] = useState<{ tag: string; ids: ReadonlySet<string> }>()
  useEffect(() => {
    if (!tag) return
    const left = new AbortController()
    findNotes(tag, engine, left.signal)
      .then((ids) => left.signal.aborted || setFound({ tag, ids }))
      .catch((error) => left.signal.aborted || console.warn(error))
    return () => left.abort()
  }, [tag, engine])
  const others = found?.tag === tag ? found?.ids : undefined
  return useMemo(() => {
    if (!held) return
    return ({ _id }: NoteSummary) => held.has(_id) || (!store.text(_id) && others?.has(_id) === true)
  }, [held, others, store])
}

async function findNotes(tag: string, engine: Engine, signal: AbortSignal): Promise<Set<string>> {
  try {
    const { data } = await call('GET /search', { query: { q: tag, limit: pageSize.max }, signal })
    engine.store.put({ notes: data.notes.map(({ excerpt: _, ...note }) => note) })
    return new Set(notesWithTag(data, tag).map(({ _id }) => _id))
  } catch (error) {
    signal.throwIfAborted()
    console.warn(error)
    const ids = new Set<string>()
    for await (const notes of textsWith([fold(tag)], engine)) {
      signal.throwIfAborted()
      for (const { _id } of notes) ids.add(_id)
    }
    return ids
  }
}
