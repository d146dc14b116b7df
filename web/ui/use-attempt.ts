import { useRef, useState } from 'react'

/** `error`: of the newest attempt. */
export function useAttempt<Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) {
  const [error, setError] = useState<Error>()
  const newest = useRef(0)
  async function attempt(...given: Given): Promise<Result> {
    const number = ++newest.current
    setError(undefined)
    try {
      return await work(...given)
    } catch (error) {
      if (number === newest.current) setError(error as Error)
      throw error
    }
  }
  return { attempt, error, forget: () => setError(undefined) }
}
