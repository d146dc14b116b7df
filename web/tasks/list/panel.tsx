import type { ReactNode } from 'react'
import './list-panel.css'

type PanelProps = { title: ReactNode; lead?: ReactNode; tools?: ReactNode; children: ReactNode }

export const Panel = ({ title, lead, tools, children }: PanelProps) => (
  <section className="panel" aria-labelledby="panel-title">
    <header className="panel-head wraps">
      <h1 id="panel-title" className="panel-title title" tabIndex={-1}>
        {title}
      </h1>
      {lead !== undefined && <p className="panel-lead soft one-line">{lead}</p>}
      {tools}
    </header>
    {children}
  </section>
)
