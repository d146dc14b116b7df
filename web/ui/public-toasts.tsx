import { Toasts } from './toasts.tsx'

/** Specification section 9: five seconds, top right, Alt+T, as many as there are. */
const PublicToasts = () => (
  <Toasts place="public-toasts" label="Notifications" position="top-right" autoClose={5000} />
)
export default PublicToasts
