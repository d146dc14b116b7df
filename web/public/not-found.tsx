import { Link } from 'react-router'
import './prose.css'

export function NotFound() {
  return (
    <section className="not-found">
      <h1>Page not found</h1>
      <p>There is nothing at this address. It may have been mistyped, or the page may have moved.</p>
      <Link to="/" className="button button-primary">
        Go to the start page
      </Link>
    </section>
  )
}
