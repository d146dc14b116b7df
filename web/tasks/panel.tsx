import type { ReactNode } from 'react'

type PanelProps = { title: string; lead: ReactNode; children: ReactNode }

/** One of the three panels of the main area: its title, a line about it, then what it shows. */
export const Panel = ({ title, lead, children }: PanelProps) => (
  <section className="panel" aria-labelledby="panel-title">
    <h1 id="panel-title" className="panel-title" tabIndex={-1}>
      {title}
    </h1>
    <p className="panel-lead">{lead}</p>
    {children}
  </section>
)
