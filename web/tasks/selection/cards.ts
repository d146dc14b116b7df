/** The cards of tasks that can be selected, from top to bottom. Deleted tasks cannot. */
export const selectableCards = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-action=complete]')].flatMap(
    (ring) => ring.closest<HTMLElement>('[data-task]') ?? [],
  )

export const idOf = ({ dataset }: HTMLElement): string => dataset.task ?? ''
