import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router'
import { call, problemFrom } from '../../api/client.ts'
import { removeToken, storedToken } from '../../api/session.ts'
import { painted } from '../../ui/painted.ts'

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
    // The session may end meanwhile, for example by a logout, whose page is still loading.
    const isOther = () => left || storedToken() !== token
    async function check() {
      await painted()
      if (storedToken() !== token) return
      try {
        console.log((await call('GET /user/validate')).data)
      } catch (error) {
        if (isOther()) return
        console.error(error)
        if (problemFrom(error)?.status === 403) leaveForLogin()
      }
    }
    check()
    return () => {
      left = true
    }
  }, [])
}
