import { useState } from 'react'

/** Work that may fail: the function that does it, why its last attempt has failed, and the function that forgets that. */
export function useAttempt<Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) {
  const [error, setError] = useState<Error>()
  async function attempt(...given: Given): Promise<Result> {
    setError(undefined)
    try {
      return await work(...given)
    } catch (error) {
      console.error(error)
      setError(error as Error)
      throw error
    }
  }
  return { attempt, error, forget: () => setError(undefined) }
}
