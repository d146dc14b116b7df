import { Outlet } from 'react-router'
import { Brand } from '../ui/brand.tsx'
import { SkipLink } from '../ui/skip-link.tsx'
import { Navbar } from './navbar.tsx'
import './footer.css'
import './public-layout.css'

// The worker then ends a session that was left without a network.
globalThis.window?.addEventListener('online', () =>
  navigator.serviceWorker?.controller?.postMessage('online'),
)

/** The layout that all public pages share (specification section 2, Public layout). */
export default function PublicLayout() {
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

/** The entries are not functional (specification section 2). */
const columns = {
  Features: ['Today', 'Latest', 'Priority', 'Calendar'],
  Resources: ['Getting started', 'Keyboard', 'Backups'],
  Company: ['Our story', 'Contact'],
  Legal: ['License', 'Privacy', 'Terms'],
}

/** The footer of every public page. It shows the mark, except on the landing page, whose miniature is in the place of the mark. */
const Footer = () => (
  <footer className="footer">
    <svg className="footer-mark" viewBox="0 0 32 40" aria-hidden="true">
      <path d="M14.5 20h3v20h-3Z" />
      <path d="M16 1 5 12l11 11Z" />
      <path className="mark-lit" d="M16 1v22l11-11Z" />
    </svg>
    <div className="footer-row">
      <div className="footer-brand">
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
