import { useRef, useState } from 'react'

/** Work that may fail: the function that does it, why its newest attempt has failed, and the function that forgets that. */
export function useAttempt<Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) {
  const [error, setError] = useState<Error>()
  const newest = useRef(0)
  async function attempt(...given: Given): Promise<Result> {
    const number = ++newest.current
    setError(undefined)
    try {
      return await work(...given)
    } catch (error) {
      console.error(error)
      if (number === newest.current) setError(error as Error)
      throw error
    }
  }
  return { attempt, error, forget: () => setError(undefined) }
}
