import { useEffect } from 'react'
import { call, problemFrom } from '../../api/client.ts'
import { leaveFor, removeToken, storedToken } from '../../api/session.ts'

/** Validates the token each time a panel opens. The answer is only logged; a 403 leads to the login. */
export function useSessionCheck() {
  useEffect(() => {
    let left = false
    const token = storedToken()
    call('GET /user/validate').then(
      ({ data }) => console.log(data),
      (error) => {
        // The session may have ended since, for example by a logout, whose page is still loading.
        if (left || storedToken() !== token) return
        console.error(error)
        if (problemFrom(error)?.status !== 403) return
        removeToken()
        leaveFor('/login')
      },
    )
    return () => {
      left = true
    }
  }, [])
}
