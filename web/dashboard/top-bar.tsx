import { useNavigate } from 'react-router'
import { call } from '../api/client.ts'
import { Icon } from '../ui/icon.tsx'

type TopBarProps = { drawerOpen: boolean; onMenu: () => void; onKeys: () => void; onAccount: () => void }

/** The drawer's button on the left; keys, account and Logout on the right. */
export function TopBar({ drawerOpen, onMenu, onKeys, onAccount }: TopBarProps) {
  const navigate = useNavigate()

  function logOut() {
    // The token is forgotten here whether or not the server hears of it.
    call('POST /user/logout', { keepalive: true }).catch(console.error)
    localStorage.clear()
    navigate('/')
  }

  return (
    <header className="top-bar">
      <button
        type="button"
        className="icon-button drawer-open"
        aria-label="Open menu"
        aria-expanded={drawerOpen}
        onClick={onMenu}
      >
        <Icon name="menu" />
      </button>
      <button type="button" className="icon-button keys-open" aria-label="Keys" onClick={onKeys}>
        <Icon name="keyboard" />
      </button>
      <button type="button" className="icon-button account-open" aria-label="Account" onClick={onAccount}>
        <Icon name="account" />
      </button>
      <button type="button" className="button logout" onClick={logOut}>
        <Icon name="logout" />
        Logout
      </button>
    </header>
  )
}
