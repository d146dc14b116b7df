import type { ListName } from '#contract/lists.ts'
import type { Priority } from '#contract/tasks.ts'
import { formatWeekday } from '../ui/civil-day.ts'
import type { IconName } from '../ui/icon.tsx'

/** What toasts say when an opened list has been answered (specification section 8). */
export type ListToasts = { found?: string; none: string; failed: string }

type SingleList = { list: ListName; toasts?: ListToasts; separatesOverdue?: boolean }
type PriorityLists = { tabs: Record<Priority, { label: string; toasts: ListToasts }>; failedToOpen: string }

/** What the main area can show: an entry of the sidebar, a key, and a panel with one list or a choice of lists. */
export type View = {
  label: string
  icon: IconName
  key: string
  title: string
  lead: string | ((today: string, locale: string) => string)
  emptyText: string
} & (SingleList | PriorityLists)

/**
 * Every view by its name in the URL, in the order of the sidebar. The sidebar, the keys, the list of keys, the panels
 * and the landing page's miniature are drawn from it. The landing page loads this file, so it imports no component.
 */
export const views = {
  today: {
    label: 'Today',
    icon: 'today',
    key: '1',
    title: "Today's Tasks",
    lead: formatWeekday,
    emptyText: 'No tasks for today',
    list: 'today',
    separatesOverdue: true,
    toasts: { none: 'No tasks for today', failed: 'Cannot get today tasks' },
  },
  latest: {
    label: 'Latest',
    icon: 'latest',
    key: '2',
    title: 'Recent',
    lead: 'Everything, newest first',
    emptyText: 'No tasks found',
    list: 'latest',
    toasts: { none: 'No latest tasks found', failed: 'Cannot get latest tasks' },
  },
  priority: {
    label: 'Priority',
    icon: 'priority',
    key: '3',
    title: 'Mark the urgent',
    lead: 'One priority at a time, soonest due first',
    emptyText: 'No tasks found',
    failedToOpen: 'Cannot get priority tasks',
    tabs: {
      high: {
        label: 'High',
        toasts: {
          found: 'High priority tasks fetched successfully',
          none: 'No high priority tasks found',
          failed: 'Cannot get high priority tasks',
        },
      },
      medium: {
        label: 'Medium',
        toasts: { none: 'No medium priority tasks found', failed: 'Cannot get medium priority tasks' },
      },
      low: {
        label: 'Low',
        toasts: { none: 'No low priority tasks found', failed: 'Cannot get low priority tasks' },
      },
    },
  },
  upcoming: {
    label: 'Upcoming',
    icon: 'upcoming',
    key: '4',
    title: 'Upcoming',
    lead: 'Due after today, soonest first',
    emptyText: 'Nothing is coming up',
    list: 'upcoming',
  },
} as const satisfies Record<string, View>

export type ViewName = keyof typeof views

export const viewNames = Object.keys(views) as ViewName[]

/** The view that a URL of the dashboard names: Today if it names none, or one that does not exist. */
export function viewIn(search: URLSearchParams): ViewName {
  const name = search.get('list')
  return viewNames.find((known) => known === name) ?? 'today'
}

export const pathOf = (name: ViewName): string =>
  name === 'today' ? '/dashboard' : `/dashboard?list=${name}`
