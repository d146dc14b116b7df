import './brand.css'

export const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
    <path d="M14.5 20h3v6H29v3H3v-3h11.5Z" />
    <path d="M16 1 5 12l11 11Z" />
    <path className="mark-lit" d="M16 1v22l11-11Z" />
  </svg>
)

export const Brand = () => (
  <span className="brand">
    <Mark />
    Daymark
  </span>
)
