import { cssTransition, ToastContainer, toast } from 'react-toastify/unstyled'

type Place = 'public-toasts' | 'dashboard-toasts'

type ToastsProps = {
  place: Place
  label: string
  position: 'top-right' | 'bottom-right'
  autoClose: number
}

const transition = cssTransition({ enter: 'toast-enter', exit: 'toast-exit' })

/** Where one kind of toast appears, and for how long. Alt+T moves the focus to the first one. */
export const Toasts = ({ place, label, position, autoClose }: ToastsProps) => (
  <ToastContainer
    containerId={place}
    position={position}
    autoClose={autoClose}
    transition={transition}
    aria-label={`${label}, Alt+T`}
  />
)

export const publicToast = toastIn('public-toasts')
export const dashboardToast = toastIn('dashboard-toasts')

function toastIn(containerId: Place) {
  return {
    success: (text: string) => toast.success(text, { containerId }),
    info: (text: string) => toast.info(text, { containerId }),
    error: (text: string) => toast.error(text, { containerId }),
  }
}
