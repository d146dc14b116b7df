import { useEffect } from 'react'
import { call } from '../../api/page-client.ts'

/** Validates the token each time a panel opens. The answer is only logged; a 403 leads to the login. */
export function useSessionCheck() {
  useEffect(() => {
    let left = false
    call('GET /user/validate').then(
      ({ data }) => console.log(data),
      (error) => left || console.error(error),
    )
    return () => {
      left = true
    }
  }, [])
}
