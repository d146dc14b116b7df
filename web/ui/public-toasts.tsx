import { Toasts } from './toasts.tsx'

const PublicToasts = () => <Toasts place="public-toasts" />
export default PublicToasts
