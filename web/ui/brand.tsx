/** The mark: a diamond topmark on its post, over the horizon. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
    <path className="mark-topmark" d="M16 3 25 12 16 21 7 12Z" />
    <path className="mark-post" d="M14.5 19h3v7h-3Z" />
    <path className="mark-horizon" d="M5 26h22v3H5Z" />
  </svg>
)

export const Brand = () => (
  <span className="brand">
    <Mark />
    <span className="wordmark">Daymark</span>
  </span>
)
