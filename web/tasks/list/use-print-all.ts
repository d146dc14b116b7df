import { useEffect, useState } from 'react'
import { pressedKey } from '../../ui/pressed-key.ts'
import { useKeyDown } from '../../ui/use-key-down.ts'

type Pages = { hasNextPage: boolean; isFetching: boolean; isError: boolean; fetchNextPage: () => unknown }

/**
 * Loads the rest of a list that the store does not have before Ctrl+P prints it. A second press prints the loaded tasks. Printing by
 * the browser's menu cannot wait, and prints the loaded tasks too. Returns whether the list is loaded to be printed.
 */
export function usePrintAll({ hasNextPage, isFetching, isError, fetchNextPage }: Pages): boolean {
  const [isWanted, setWanted] = useState(false)

  useKeyDown(hasNextPage && !isWanted, (event) => {
    const isModified = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    if (!isModified || pressedKey(event).toLowerCase() !== 'p') return
    event.preventDefault()
    setWanted(true)
  })

  useEffect(() => {
    if (!isWanted || isFetching) return
    if (hasNextPage && !isError) return void fetchNextPage()
    setWanted(false)
    // When the last cards are rendered.
    requestAnimationFrame(() => print())
  }, [isWanted, isFetching, hasNextPage, isError, fetchNextPage])

  return isWanted
}
