/** The space of a card that has gone, until the list closes it. */
export const TaskGap = ({ height }: { height: number }) => (
  <li className="task-gap" data-gap aria-hidden="true" style={{ height }} />
)
