import type { Mark } from '#contract/words/task-text.ts'
import { Button } from '../../ui/button.tsx'
import { useDayContext } from '../../ui/civil-day.ts'
import { Icon } from '../../ui/icon.tsx'
import type { dayMeaning } from './day-meaning.ts'

type QuickChipsProps = {
  marks: readonly Mark[]
  /** Days are found only if it has loaded. */
  dayMeaning: typeof dayMeaning | undefined
  onPress: (mark: Mark) => void
}

export function QuickChips({ marks, dayMeaning, onPress }: QuickChipsProps) {
  const context = useDayContext()
  const meaningOf = (mark: Mark) =>
    mark.field === 'priority' ? `Priority: ${mark.value}` : dayMeaning?.(mark, context)
  return (
    <>
      <span role="status" className="visually-hidden">
        {marks.map(meaningOf).join(', ')}
      </span>
      {marks.map((mark) => (
        <Button
          key={mark.isOffer ? 'offer' : mark.field}
          className="quick-chip button-small row tight small"
          data-priority={mark.field === 'priority' ? mark.value : undefined}
          data-offer={mark.isOffer || undefined}
          aria-label={`${meaningOf(mark)}, ${mark.isOffer ? 'use' : 'remove'}`}
          onClick={() => onPress(mark)}
        >
          {meaningOf(mark)}
          {mark.isOffer && '?'}
          <Icon name={mark.isOffer ? 'plus' : 'close'} />
        </Button>
      ))}
    </>
  )
}
