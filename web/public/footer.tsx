import { Brand } from '../ui/brand.tsx'

/** The entries lead nowhere (specification section 2). */
const columns = {
  Features: ['Today', 'Latest', 'Priority', 'Calendar'],
  Resources: ['Getting started', 'Keyboard', 'Backups'],
  Company: ['Our story', 'Contact'],
  Legal: ['License', 'Privacy', 'Terms'],
}

export const Footer = () => (
  <footer className="footer">
    <div className="footer-row">
      <Brand />
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
