import { createContext, type ReactNode, use, useCallback, useState } from 'react'
import { createStore, useStore } from 'zustand'

export type SidebarSelection = 'today' | 'latest' | 'priority'
export type PriorityTab = 'high' | 'medium' | 'low'

/** The four slices of specification section 3, Client state. */
type Slices = {
  sidebarSelection: SidebarSelection
  priorityTab: PriorityTab
  addTaskBoxActive: boolean
  editTaskBoxActive: boolean
}

const initial: Slices = {
  sidebarSelection: 'today',
  priorityTab: 'high',
  addTaskBoxActive: false,
  editTaskBoxActive: false,
}

const DashboardState = createContext(createStore(() => initial))

/** Each visit of the dashboard starts from the initial values. */
export function DashboardStateProvider({ children }: { children: ReactNode }) {
  const [store] = useState(() => createStore(() => initial))
  return <DashboardState value={store}>{children}</DashboardState>
}

export function useSlice<Name extends keyof Slices>(name: Name) {
  const store = use(DashboardState)
  const value = useStore(store, (slices) => slices[name])
  const set = useCallback((next: Slices[Name]) => store.setState({ [name]: next }), [store, name])
  return [value, set] as const
}
