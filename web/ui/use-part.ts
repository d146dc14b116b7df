import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

export type Part<Module> = ReturnType<typeof createPart<Module>>

/** A part of the page that is loaded once, when something first wants it. After a failure, the next that wants it tries again. */
export function createPart<Module>() {
  /** Undefined until the part has loaded, and during each attempt. Of `failed`, chunk-failure.tsx says why. */
  const state = createStore<Module | 'failed' | undefined>(() => undefined)
  let importModule: () => Promise<Module>
  let loading: Promise<Module> | undefined

  async function attempt() {
    state.setState(undefined, true)
    try {
      const module = await importModule()
      state.setState(module, true)
      return module
    } catch (error) {
      console.error(error)
      loading = undefined
      state.setState('failed', true)
      throw error
    }
  }

  const load = () => {
    loading ??= attempt()
    return loading
  }
  /** Loads it for those who look at the state. */
  const want = () => void load().catch(() => {})
  const isImportedBy = (by: typeof importModule) => {
    importModule = by
  }
  return { state, load, want, isImportedBy }
}

/** The part, which is loaded when it is wanted. */
export function usePart<Module>({ state, want }: Part<Module>, isWanted = true) {
  useEffect(() => {
    if (isWanted) want()
  }, [want, isWanted])
  return useStore(state)
}

/** The part once it has loaded, for a component that says nothing of a failure. */
export function useLoaded<Module>(part: Part<Module>, isWanted = true): Module | undefined {
  const module = usePart(part, isWanted)
  return module === 'failed' ? undefined : module
}
