import { cssTransition, ToastContainer, toast } from 'react-toastify/unstyled'

const transition = cssTransition({ enter: 'toast-enter', exit: 'toast-exit' })

/** Specification section 9: five seconds, top right, Alt+T, as many as there are. */
export const PublicToasts = () => (
  <ToastContainer
    containerId="public-toasts"
    position="top-right"
    autoClose={5000}
    transition={transition}
    aria-label="Notifications, Alt+T"
  />
)

/** Specification sections 2 and 9: one second, bottom right. */
export const DashboardToasts = () => (
  <ToastContainer
    containerId="dashboard-toasts"
    position="bottom-right"
    autoClose={1000}
    transition={transition}
    aria-label="Task notifications, Alt+T"
  />
)

export const publicToast = toastIn('public-toasts')
export const dashboardToast = toastIn('dashboard-toasts')

function toastIn(containerId: string) {
  return {
    success: (text: string) => toast.success(text, { containerId }),
    info: (text: string) => toast.info(text, { containerId }),
    error: (text: string) => toast.error(text, { containerId }),
  }
}
