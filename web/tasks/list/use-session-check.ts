import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { call, problemFrom } from '../../api/client.ts'
import { removeToken, storedToken } from '../../api/session.ts'

/** Validates the token each time a panel opens. The answer is only logged; a 403 leads to the login. */
export function useSessionCheck() {
  const navigate = useNavigate()
  const leaveForLogin = useEffectEvent(() => {
    removeToken()
    navigate('/login', { replace: true })
  })

  useEffect(() => {
    let left = false
    const token = storedToken()
    call('GET /user/validate').then(
      ({ data }) => console.log(data),
      (error) => {
        // The session may have ended since, for example by a logout, whose page is still loading.
        if (left || storedToken() !== token) return
        console.error(error)
        if (problemFrom(error)?.status === 403) leaveForLogin()
      },
    )
    return () => {
      left = true
    }
  }, [])
}
