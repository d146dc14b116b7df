import { Link } from 'react-router'
import { rememberNoteIntent } from '../api/note-intent.ts'
import { Miniature } from './miniature.tsx'
import { useDashboardIfSignedIn } from './use-dashboard-if-signed-in.ts'
import './landing.css'

export function Landing() {
  useDashboardIfSignedIn()
  return (
    <section className="hero">
      <div className="hero-words">
        <h1>Your day, in plain sight.</h1>
        <p>
          Daymark is a simple and elegant way to manage tasks and notes: what is due today, what is urgent,
          and what you want to keep. On a server that is yours.
        </p>
        <Link to="/login" className="button button-primary button-large" onClick={() => rememberNoteIntent()}>
          Write a Note
        </Link>
      </div>
      <Miniature />
    </section>
  )
}
