import { useEffect, useState } from 'react'

/** What stands for a part of the page that is missing. Offline, that can be any that was not used before. */
export const notLoaded = 'This part of the page could not be loaded. Check your connection and try again.'

/**
 * A part of the page that is loaded when it is wanted: the module, or `failed`, and a function that tries again. Being
 * wanted again tries again too. `load` is the same function on each rendering.
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
    // Errors of elements do not bubble.
    document.addEventListener('error', noteFailedStyles, { capture: true })
    reloadStyles()
      .then(load)
      .then(setModule, (error) => {
        console.error(error)
        if (!left) setModule('failed')
      })
    return () => {
      left = true
    }
  }, [load, isWanted, isLoaded, attempt])
  return [module, () => setAttempt((count) => count + 1)] as const
}

/** The style sheets that could not be loaded. The bundler requests those of a chunk only once. */
const failedStyles = new Set<HTMLLinkElement>()

function noteFailedStyles({ target }: Event) {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
}

const reloadStyles = () => Promise.all([...failedStyles].map(loadAgain))

const loadAgain = (link: HTMLLinkElement) =>
  new Promise((resolve, reject) => {
    const next = link.cloneNode() as HTMLLinkElement
    next.addEventListener('load', resolve)
    next.addEventListener('error', () => reject(new Error(`${link.href} could not be loaded.`)))
    link.replaceWith(next)
    failedStyles.delete(link)
  })
