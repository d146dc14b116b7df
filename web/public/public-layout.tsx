import { useEffect, useRef, useState } from 'react'
import { Link, NavLink, Outlet, useLocation } from 'react-router'
import { Brand } from '../ui/brand.tsx'
import { IconButton } from '../ui/button.tsx'
import { SkipLink } from '../ui/skip-link.tsx'
import { usePressOutside } from '../ui/use-press-outside.ts'
import './footer.css'
import './navbar.css'
import './public-layout.css'

// The worker then ends a session that was left without a network.
const tellWorker = () => navigator.serviceWorker?.controller?.postMessage('online')
globalThis.window?.addEventListener('online', tellWorker)
// The network can be back before this script runs.
if (globalThis.navigator?.onLine) tellWorker()

/** Specification section 2, Public layout. */
export function PublicLayout() {
  return (
    <div className="public">
      <SkipLink />
      <Navbar />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </div>
  )
}

function Navbar() {
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
        className="navbar-row row wraps apart"
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
          <ul className="row">
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

/** The entries are not functional (specification section 2). */
const columns = {
  Features: ['Today', 'Latest', 'Priority', 'Calendar'],
  Resources: ['Getting started', 'Keyboard', 'Backups'],
  Company: ['Our story', 'Contact'],
  Legal: ['License', 'Privacy', 'Terms'],
}

/** The landing page shows its miniature in place of the mark. */
const Footer = () => (
  <footer className="footer small">
    <svg className="footer-mark" viewBox="0 0 32 40" aria-hidden="true">
      <path d="M14.5 20h3v20h-3Z" />
      <path d="M16 1 5 12l11 11Z" />
      <path className="mark-lit" d="M16 1v22l11-11Z" />
    </svg>
    <div className="footer-row">
      <div className="footer-brand stack">
        <Brand />
        <p>Seen by day, kept by you.</p>
      </div>
      {Object.entries(columns).map(([heading, entries]) => (
        <section key={heading} className="footer-column">
          <h2>{heading}</h2>
          <ul>
            {entries.map((entry) => (
              <li key={entry}>{entry}</li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  </footer>
)
