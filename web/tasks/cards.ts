/** The cards of tasks that can be selected, from top to bottom. Deleted tasks cannot. */
export const selectableCards = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-action=complete]')].flatMap(
    (ring) => ring.closest<HTMLElement>('[data-task]') ?? [],
  )

export const idOf = ({ dataset }: HTMLElement): string => dataset.task ?? ''

/** Focuses the first of these cards, or without one the title. */
export function focusFirst(ids: ReadonlySet<string>) {
  const card = selectableCards().find((card) => ids.has(idOf(card)))
  ;(card ?? document.getElementById('panel-title'))?.focus({ preventScroll: true })
}
