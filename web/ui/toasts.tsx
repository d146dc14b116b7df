import { useEffect, useRef } from 'react'
import { cssTransition, ToastContainer, toast } from 'react-toastify/unstyled'
import './toasts.css'

type ToastPlace = 'public-toasts' | 'dashboard-toasts'

type ToastsProps = {
  place: ToastPlace
  label: string
  position: 'top-right' | 'bottom-right'
  autoClose: number
}

const transition = cssTransition({ enter: 'toast-enter', exit: 'toast-exit' })

/** Alt+T moves the focus to the first toast. */
export function Toasts({ place, label, position, autoClose }: ToastsProps) {
  const layer = useRef<HTMLDivElement>(null)
  useEffect(() => {
    layer.current?.showPopover()
    return toast.onChange(({ status }) => status === 'added' && raiseAboveDialog(layer.current))
  }, [])

  return (
    <div ref={layer} popover="manual" className="toast-layer">
      <ToastContainer
        containerId={place}
        position={position}
        autoClose={autoClose}
        transition={transition}
        aria-label={`${label}, Alt+T`}
      />
    </div>
  )
}

/** A modal dialog covers every element that entered the top layer before it. */
function raiseAboveDialog(layer: HTMLElement | null) {
  if (!document.querySelector('dialog:modal')) return
  layer?.hidePopover()
  layer?.showPopover()
}

export const publicToast = toastIn('public-toasts')
export const dashboardToast = toastIn('dashboard-toasts')

function toastIn(containerId: ToastPlace) {
  return {
    success: (text: string) => toast.success(text, { containerId }),
    info: (text: string) => toast.info(text, { containerId }),
    error: (text: string) => toast.error(text, { containerId }),
  }
}
