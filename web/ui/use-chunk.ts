import { useEffect, useState } from 'react'

/**
 * A part of the page that is loaded when it is wanted. Returns the module, or `failed` (chunk-failure.tsx says why), and a
 * function that tries again. When the part is wanted again, it tries again too. `load` must be the same function on each
 * rendering.
 */
export function useChunk<Module extends object>(load: () => Promise<Module>, isWanted: boolean) {
  const [module, setModule] = useState<Module | 'failed'>()
  const [attempt, setAttempt] = useState(0)
  const isLoaded = typeof module === 'object'
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads
  useEffect(() => {
    if (!isWanted || isLoaded) return
    let left = false
    setModule(undefined)
    load().then(setModule, (error) => {
      console.error(error)
      if (!left) setModule('failed')
    })
    return () => {
      left = true
    }
  }, [load, isWanted, isLoaded, attempt])
  return [module, () => setAttempt((count) => count + 1)] as const
}

/** Loads modules whose chunk is one, because each chunk takes bytes of the first load (vite.config.ts). */
export const loadTogether = async <Modules extends object[]>(
  ...modules: { [Index in keyof Modules]: Promise<Modules[Index]> }
) => Object.assign({}, ...(await Promise.all(modules))) as Merged<Modules>

type Merged<Modules> = Modules extends [infer First, ...infer Rest] ? First & Merged<Rest> : unknown
