import { Toasts } from './toasts.tsx'

/** Specification section 9: top right, five seconds, Alt+T, no limit. */
const PublicToasts = () => (
  <Toasts place="public-toasts" label="Notifications" position="top-right" autoClose={5000} />
)
export default PublicToasts
