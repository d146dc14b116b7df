import { Outlet } from 'react-router'
import { SkipLink } from '../ui/skip-link.tsx'
import { Footer } from './footer.tsx'
import { Navbar } from './navbar.tsx'
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
