export type Move = (index: number, last: number) => number

const down: Move = (index) => index + 1
const up: Move = (index) => index - 1

/** By the keys that lead from one entry of a list to another. Such a key may be held down. */
export const moves: Record<string, Move> = {
  ...{ ArrowDown: down, j: down, ArrowUp: up, k: up },
  ...{ Home: () => 0, End: (_, last) => last },
}

export function focusInView(target: HTMLElement) {
  target.focus({ preventScroll: true })
  target.scrollIntoView({ block: 'nearest' })
}
