import type { ReactNode } from 'react'

/** One of the three panels of the main area: its title, then what it shows. */
export const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="panel" aria-labelledby="panel-title">
    <h1 id="panel-title" className="panel-title" tabIndex={-1}>
      {title}
    </h1>
    {children}
  </section>
)
