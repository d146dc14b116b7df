import { offered } from '../../engine/verbs/verb.ts'

/** In milliseconds: shorter than the system's own long press, which would open its menu first. */
const longPress = 450

/** In milliseconds: between two scroll events of a list that scrolls on after a flick. */
const betweenScrolls = 150

/** In pixels: how far a finger moves while it only presses, and the edges of the screen, where Back belongs to the system. */
const [slop, edge] = [10, 24]

type Swipe = 'complete' | 'move'

type Touch = {
  id: number
  card: HTMLElement
  x: number
  y: number
  canSwipe: boolean
  timer: number
  isSwiping: boolean
}

/** A swipe acts when the finger is lifted beyond a third of the card's width. The browser handles vertical scrolling. */
export function followTouches(
  onLongPress: (card: HTMLElement) => void,
  options: { signal: AbortSignal; capture: boolean },
) {
  let touch: Touch | undefined
  let hasGestured = false
  /** Whether the browser has taken the last touch over, to scroll, and when it scrolled last. */
  let hasScrolled = false
  let scrolledAt = Number.NEGATIVE_INFINITY

  function end() {
    if (!touch) return
    clearTimeout(touch.timer)
    if (touch.isSwiping) slideBack(touch.card)
    touch = undefined
  }

  function begin(event: PointerEvent) {
    // A second finger ends the gesture of the first.
    end()
    // A finger that stops a flick presses nothing.
    hasGestured = hasScrolled && event.timeStamp - scrolledAt < betweenScrolls
    hasScrolled = false
    if (hasGestured) return
    const target = event.target as Element
    const card = target.closest<HTMLElement>('[data-task]')
    if (event.pointerType !== 'touch' || !event.isPrimary || !card || !controlOf(card, 'complete')) return
    const { clientX: x, clientY: y, pointerId: id } = event
    const canPress = target.closest('a, button, input, label, [data-selectable]') === null
    const press = () => {
      end()
      hasGestured = true
      onLongPress(card)
    }
    touch = {
      id,
      card,
      x,
      y,
      canSwipe: x >= edge && x <= window.innerWidth - edge,
      timer: canPress ? window.setTimeout(press, longPress) : 0,
      isSwiping: false,
    }
  }

  function move({ pointerId, clientX, clientY }: PointerEvent) {
    if (touch?.id !== pointerId) return
    const [dx, dy] = [clientX - touch.x, clientY - touch.y]
    if (!touch.isSwiping) {
      if (Math.hypot(dx, dy) < slop) return
      if (!touch.canSwipe || Math.abs(dx) < 1.5 * Math.abs(dy)) return end()
      clearTimeout(touch.timer)
      touch.isSwiping = true
      hasGestured = true
    }
    slide(touch.card, dx)
  }

  function release({ pointerId, clientX }: PointerEvent) {
    if (touch?.id !== pointerId) return
    const { card, x, isSwiping } = touch
    const dx = clientX - x
    end()
    if (isSwiping && isFar(card, dx)) controlOf(card, swipeTo(dx))?.click()
  }

  function cancel() {
    hasScrolled = true
    end()
  }

  function scroll({ timeStamp }: Event) {
    scrolledAt = timeStamp
  }

  /** Some systems end a gesture with a click or a menu of theirs. */
  function drop(event: MouseEvent) {
    // Not a click that a key or a script has made.
    if (!hasGestured || (event.type === 'click' && event.detail === 0)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }

  document.addEventListener('pointerdown', begin, options)
  document.addEventListener('pointermove', move, options)
  document.addEventListener('pointerup', release, options)
  document.addEventListener('pointercancel', cancel, options)
  document.addEventListener('scroll', scroll, options)
  document.addEventListener('click', drop, options)
  document.addEventListener('contextmenu', drop, options)
  options.signal.addEventListener('abort', end)
}

const swipeTo = (dx: number): Swipe => (dx > 0 ? 'complete' : 'move')

const isFar = (card: HTMLElement, dx: number) => Math.abs(dx) > card.offsetWidth / 3

const controlOf = (card: HTMLElement, action: Swipe) =>
  card.querySelector<HTMLElement>(`[data-action=${action}]`)

/** A done task cannot be moved, so it hardly slides. */
function slide(card: HTMLElement, dx: number) {
  const action = swipeTo(dx)
  const control = controlOf(card, action)
  card.style.translate = `${control ? dx : dx / 8}px`
  const { dataset } = card.parentElement as HTMLElement
  dataset.swipe = control ? action : ''
  dataset.label = offered[action].label
  dataset.far = String(isFar(card, dx))
}

function slideBack(card: HTMLElement) {
  const from = card.style.translate
  card.style.translate = ''
  const item = card.parentElement as HTMLElement
  const leave = () => {
    delete item.dataset.swipe
    delete item.dataset.label
    delete item.dataset.far
  }
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return leave()
  card.animate([{ translate: from }, { translate: 'none' }], { duration: 120 }).finished.then(leave, leave)
}
