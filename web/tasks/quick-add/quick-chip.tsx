import { daysAfter, formatDay } from '../../ui/civil-day.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLocale } from '../../ui/locale.ts'
import type { Mark } from './quick-text.ts'

type QuickChipProps = { mark: Mark; today: string; onRemove: () => void }

/** What words of the quick line are taken for; a press turns them back into text. */
export function QuickChip({ mark, today, onRemove }: QuickChipProps) {
  const locale = useLocale()
  const meaning =
    mark.field === 'priority' ? `Priority: ${mark.value}` : `Due ${nameOf(mark.value, today, locale)}`
  return (
    <button
      type="button"
      className="quick-chip"
      data-priority={mark.field === 'priority' ? mark.value : undefined}
      aria-label={`${meaning}, remove`}
      onClick={onRemove}
    >
      {meaning}
      <Icon name="close" />
    </button>
  )
}

function nameOf(day: string, today: string, locale: string): string {
  if (day === today) return 'today'
  return today && day === daysAfter(today, 1) ? 'tomorrow' : formatDay(day, today, locale)
}
