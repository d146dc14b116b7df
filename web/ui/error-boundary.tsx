import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { isOutdated } from './load-chunk.ts'
import './error-boundary.css'

/** Shows a message instead of a blank screen when rendering throws or a part fails to load. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main className="failure">
        <h1>{isOutdated() ? 'There is a new version' : 'Something went wrong here'}</h1>
        <p>What you saved is safe on the server. Loading the page again usually helps.</p>
        <Button className="button button-primary" onClick={() => location.reload()}>
          Reload the page
        </Button>
      </main>
    )
  }
}
