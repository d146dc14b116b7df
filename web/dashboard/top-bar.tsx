import { useNavigate } from 'react-router'
import { call } from '../api/client.ts'
import { endSession } from '../api/session.ts'
import { useDashboard, useIsOpen } from '../state/dashboard-state.tsx'
import { Icon } from '../ui/icon.tsx'
import './top-bar.css'

/** The drawer's button on the left; keys, account and Logout on the right. */
export function TopBar() {
  const navigate = useNavigate()
  const isDrawerOpen = useIsOpen('drawer')
  const open = useDashboard((state) => state.open)

  function logOut() {
    // The token is forgotten here whether or not the call reaches the server.
    call('POST /user/logout', { keepalive: true }).catch(console.error)
    endSession()
    navigate('/', { replace: true })
  }

  return (
    <header className="top-bar">
      <button
        type="button"
        className="icon-button drawer-open"
        aria-label="Open menu"
        aria-expanded={isDrawerOpen}
        onClick={() => open({ name: 'drawer' })}
      >
        <Icon name="menu" />
      </button>
      <button
        type="button"
        className="icon-button keys-open"
        aria-label="Keys"
        onClick={() => open({ name: 'keys' })}
      >
        <Icon name="keyboard" />
      </button>
      <button
        type="button"
        className="icon-button account-open"
        aria-label="Account"
        onClick={() => open({ name: 'account' })}
      >
        <Icon name="account" />
      </button>
      <button type="button" className="button logout" onClick={logOut}>
        <Icon name="logout" />
        Logout
      </button>
    </header>
  )
}
