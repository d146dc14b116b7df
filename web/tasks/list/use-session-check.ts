import { useEffect } from 'react'
import { call, problemFrom } from '../../api/client.ts'
import { endByServer } from '../../api/session.ts'

/** Validates the token each time a panel opens. The answer is only logged; a 403 leads to the login. */
export function useSessionCheck() {
  useEffect(() => {
    let left = false
    call('GET /user/validate').then(
      ({ data }) => console.log(data),
      (error) => {
        if (left) return
        console.error(error)
        if (problemFrom(error)?.status === 403) endByServer()
      },
    )
    return () => {
      left = true
    }
  }, [])
}
