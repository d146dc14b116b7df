import { createStore } from 'zustand'
import type { Priority } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import type { ViewName } from '../views/views.ts'

const sidebarSelections = ['today', 'latest', 'priority'] as const satisfies ViewName[]
type SidebarSelection = (typeof sidebarSelections)[number]

export type DeletedItem = { _id: string; title: string; deletedAt: string | null }

/** A dialog or the drawer over the page. There is one at a time, so opening one closes the other. */
export type Overlay =
  | { name: 'addTask' }
  | { name: 'editTask'; task: Task }
  | { name: 'moveTask' | 'priority' | 'tag'; tasks: readonly Task[] }
  | { name: 'earlier'; task: Task }
  | { name: 'review' }
  | { name: 'account' }
  /** `text`: a pasted one, which is read like a file. */
  | { name: 'importFiles'; text?: string }
  | { name: 'keys' }
  | { name: 'logOut' }
  | { name: 'palette' }
  /** `tag`: with its `#`. */
  | { name: 'renameTag' | 'removeTag'; tag: string }
  /** `andEarlier`: also what was deleted before it. */
  | { name: 'deleteForGood'; item: DeletedItem; andEarlier: boolean }
  | { name: 'drawer' }

type State = {
  sidebarSelection: SidebarSelection
  priorityTab: Priority
  overlay: Overlay | undefined
  dragged: Task | undefined
  /** The view of the main area: none until the URL has been read. */
  main: 'nothing' | 'sidebarSelection' | Exclude<ViewName, SidebarSelection>
  /** How often the view on show was chosen again. */
  openings: number
  /** The list of notes shows only notes with this tag. */
  noteTag: string | undefined
}

type Actions = {
  /** Follows the URL. A view that is no sidebar selection leaves the selection as it is. */
  show: (view: ViewName) => void
  reopen: () => void
  choosePriority: (tab: Priority) => void
  filterNotes: (tag: string | undefined) => void
  /** Only after a press of the person: it takes the next keys and clicks. */
  open: (overlay: Overlay) => void
  drag: (task: Task | undefined) => void
  /** Does nothing if another overlay has taken its place. */
  close: (name: Overlay['name']) => void
}

export type DashboardState = State & Actions

export const createDashboardStore = () =>
  createStore<DashboardState>()((set) => ({
    sidebarSelection: 'today',
    priorityTab: 'high',
    overlay: undefined,
    dragged: undefined,
    main: 'nothing',
    openings: 0,
    noteTag: undefined,
    show: (view) =>
      set(isSidebarSelection(view) ? { sidebarSelection: view, main: 'sidebarSelection' } : { main: view }),
    reopen: () => set(({ openings }) => ({ openings: openings + 1 })),
    choosePriority: (priorityTab) => set({ priorityTab }),
    filterNotes: (noteTag) => set({ noteTag }),
    open: (overlay) => set({ overlay }),
    drag: (dragged) => set({ dragged }),
    close: (name) => set(({ overlay }) => (overlay?.name === name ? { overlay: undefined } : {})),
  }))

/** The four slices of specification section 3, Client state. */
export type Slices = {
  sidebarSelection: SidebarSelection
  priorityTab: Priority
  addTaskBoxActive: boolean
  editTaskBoxActive: boolean
}

export const slices: { [Name in keyof Slices]: (state: State) => Slices[Name] } = {
  sidebarSelection: (state) => state.sidebarSelection,
  priorityTab: (state) => state.priorityTab,
  addTaskBoxActive: (state) => state.overlay?.name === 'addTask',
  editTaskBoxActive: (state) => state.overlay?.name === 'editTask',
}

export function shownView({ main, sidebarSelection }: State): ViewName | undefined {
  if (main === 'nothing') return
  return main === 'sidebarSelection' ? sidebarSelection : main
}

export const isSidebarSelection = (view: ViewName): view is SidebarSelection =>
  sidebarSelections.some((selection) => selection === view)
