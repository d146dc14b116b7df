import './skip-link.css'

/** The first stop of the Tab key: past the navigation, to `<main id="main" tabIndex={-1}>`. */
export const SkipLink = () => (
  <a className="skip-link" href="#main">
    Skip to content
  </a>
)
