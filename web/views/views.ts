import type { ListName } from '#contract/lists.ts'
import type { Priority } from '#contract/task-fields.ts'
import { formatWeekday } from '../ui/civil-day.ts'
import type { IconName } from '../ui/icon.tsx'

export type ListToasts = { found?: string; none: string; failed: string }

export type Grouping = 'overdue' | 'due day' | 'day of completion'

type SingleList = { list: ListName; toasts?: ListToasts; groups?: Grouping }
/** A view whose panel is a component of its own; `dashboard/` has it. */
type OwnPanel = { panel: 'notes' | 'deleted' }
type PriorityLists = { tabs: Record<Priority, { label: string; toasts: ListToasts }>; failedToOpen: string }

export type View = {
  label: string
  icon: IconName
  key: string
  title: string
  lead: string | ((today: string, locale: string) => string)
  emptyText: string
  /** The example in an empty list: a press puts it into the quick line, where Enter adds it. */
  lesson?: { text: string; example: string }
  /** Below the others in the sidebar, and smaller. */
  isQuiet?: boolean
  /** `dueIn`: the days until a task is due whose text names no day. Null: it has no date. */
  quickAdd?: { dueIn: number | null; hint: string }
} & (SingleList | PriorityLists | OwnPanel)

export type TaskView = Exclude<View, OwnPanel>

function priorityTab(label: string, found?: string) {
  const tasks = `${label.toLowerCase()} priority tasks`
  return {
    label,
    toasts: { ...(found && { found }), none: `No ${tasks} found`, failed: `Cannot get ${tasks}` },
  }
}

/** By the name in the URL, in the order of the sidebar. The landing page loads this file, so it imports no component. */
export const views = {
  today: {
    label: 'Today',
    icon: 'today',
    key: '1',
    title: "Today's Tasks",
    lead: formatWeekday,
    emptyText: 'No tasks for today',
    list: 'today',
    quickAdd: { dueIn: 0, hint: 'Add a task for today' },
    lesson: {
      text: 'You can type the day and the priority too.',
      example: 'Water the plants tomorrow !high',
    },
    groups: 'overdue',
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
    quickAdd: { dueIn: 0, hint: 'Add a task for today' },
    lesson: {
      text: 'A word with # is a tag. Press it to see everything tagged.',
      example: 'Order firewood #home',
    },
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
    quickAdd: { dueIn: 0, hint: 'Add a task of this priority' },
    lesson: { text: 'Type ! and a priority to set it.', example: 'Sign the lease !high' },
    tabs: {
      high: priorityTab('High', 'High priority tasks fetched successfully'),
      medium: priorityTab('Medium'),
      low: priorityTab('Low'),
    },
  },
  upcoming: {
    label: 'Upcoming',
    icon: 'upcoming',
    key: '4',
    title: 'Upcoming',
    lead: 'What is due, soonest first',
    emptyText: 'Nothing is coming up',
    list: 'upcoming',
    quickAdd: { dueIn: 1, hint: 'Add a task for tomorrow' },
    lesson: { text: 'You can type the day too.', example: 'Book the ferry on Friday' },
    groups: 'due day',
  },
  someday: {
    label: 'Someday',
    icon: 'someday',
    key: '7',
    title: 'Someday',
    lead: 'Without a date, newest first',
    emptyText: 'Nothing waits for a day',
    list: 'someday',
    quickAdd: { dueIn: null, hint: 'Add a task without a date' },
  },
  done: {
    label: 'Done',
    icon: 'done',
    key: '5',
    title: 'Done',
    lead: 'What you have completed, newest first',
    emptyText: 'Nothing is done yet',
    list: 'done',
    groups: 'day of completion',
  },
  notes: {
    label: 'Notes',
    icon: 'notes',
    key: '6',
    title: 'Notes',
    lead: 'What you wrote, newest first',
    emptyText: 'No notes yet',
    panel: 'notes',
  },
  deleted: {
    label: 'Recently deleted',
    icon: 'delete',
    key: '0',
    title: 'Recently deleted',
    lead: 'Kept for 30 days, then gone for good',
    emptyText: 'Nothing was deleted in the last 30 days',
    isQuiet: true,
    panel: 'deleted',
  },
} as const satisfies Record<string, View>

export type ViewName = keyof typeof views

export const viewNames = Object.keys(views) as ViewName[]

type Place = { pathname: string; search: string }

/** Today if the URL names none, or one that does not exist. */
export function viewAt({ pathname, search }: Place): ViewName {
  if (pathname.startsWith(paths.notes)) return 'notes'
  const name = new URLSearchParams(search).get('list')
  return viewNames.find((known) => known === name && !(known in paths)) ?? 'today'
}

const paths = { today: '/dashboard', notes: '/dashboard/notes' }

export const pathOf = (name: ViewName): string =>
  name in paths ? paths[name as keyof typeof paths] : `/dashboard?list=${name}`

export const searchIn = ({ search }: Pick<Place, 'search'>): string | undefined =>
  new URLSearchParams(search).get('search') ?? undefined

/** Without a text, the URL of the view behind the search. */
export function searchPath({ pathname, search }: Place, text: string | undefined): string {
  const parameters = new URLSearchParams(search)
  if (text === undefined) parameters.delete('search')
  else parameters.set('search', text)
  return parameters.size > 0 ? `${pathname}?${parameters}` : pathname
}

/** Without its `#`. */
export const tagIn = ({ search }: Pick<Place, 'search'>): string | undefined =>
  new URLSearchParams(search).get('tag') ?? undefined

/** `tag`: with its `#`. */
export const tagPath = (tag: string): string => `${paths.today}?tag=${encodeURIComponent(tag.slice(1))}`

/** The property of a link's state with the folded words that are marked in the opened note, before which the caret is. */
export const shownWords = 'words'
