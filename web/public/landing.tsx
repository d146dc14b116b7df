import { Link } from 'react-router'
import { useDashboardIfSignedIn } from './use-dashboard-if-signed-in.ts'

export function Landing() {
  useDashboardIfSignedIn()
  return (
    <section className="hero">
      <h1>See the day clearly.</h1>
      <p className="hero-subtitle">
        Daymark is a simple and elegant way to manage tasks and notes, on a server of your own.
      </p>
      <Link to="/login" className="button button-primary button-large">
        Write a Note
      </Link>
    </section>
  )
}
