import { useEffect, useRef, useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { Brand } from '../ui/brand.tsx'
import { IconButton } from '../ui/button.tsx'
import { usePressOutside } from '../ui/use-press-outside.ts'
import './navbar.css'

/** Fixed to the top; below 992 px its links collapse behind a button. */
export function Navbar() {
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  const navbar = useRef<HTMLElement>(null)
  usePressOutside(open, navbar, () => setOpen(false))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes the menu
  useEffect(() => setOpen(false), [pathname])

  return (
    <header ref={navbar} className="navbar">
      <nav
        aria-label="Main"
        className="navbar-row"
        onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
      >
        <Link to="/" className="navbar-brand">
          <Brand />
        </Link>
        <IconButton
          icon={open ? 'close' : 'menu'}
          className="navbar-toggle"
          label={open ? 'Close menu' : 'Open menu'}
          aria-expanded={open}
          aria-controls="navbar-links"
          onClick={() => setOpen(!open)}
        />
        <div id="navbar-links" className="navbar-links" data-open={open}>
          <ul>
            <li>
              <NavLink to="/" end>
                Home
              </NavLink>
            </li>
            <li>
              <NavLink to="/about">About Us</NavLink>
            </li>
            <li>
              <Link to="/login" className="button">
                Login
              </Link>
            </li>
            <li>
              <Link to="/signup" className="button button-primary">
                Sign Up
              </Link>
            </li>
          </ul>
        </div>
      </nav>
    </header>
  )
}
