import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { call, problemFrom } from '../../api/client.ts'
import { removeToken } from '../../api/session.ts'

/** Validates the token each time a panel opens. The answer is only logged; a 403 leads to the login. */
export function useSessionCheck() {
  const navigate = useNavigate()
  const leaveForLogin = useEffectEvent(() => {
    removeToken()
    navigate('/login', { replace: true })
  })

  useEffect(() => {
    let left = false
    call('GET /user/validate').then(
      ({ data }) => console.log(data),
      (error) => {
        if (left) return
        console.error(error)
        if (problemFrom(error)?.status === 403) leaveForLogin()
      },
    )
    return () => {
      left = true
    }
  }, [])
}
