import { createContext, type ReactNode, use, useLayoutEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useStore } from 'zustand'
import { pathOf, type ViewName, viewIn } from '../views/views.ts'
import {
  createDashboardStore,
  type DashboardState,
  type Overlay,
  type Slices,
  slices,
} from './dashboard-store.ts'

const Store = createContext(createDashboardStore())

/** Gives each visit to the dashboard a store of its own, which starts from the initial values and follows the URL. */
export function DashboardStateProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createDashboardStore)
  const [search] = useSearchParams()
  const view = viewIn(search)
  // After hydration: the prerendered page does not know which list its URL will name.
  useLayoutEffect(() => store.getState().show(view), [store, view])
  return <Store value={store}>{children}</Store>
}

export const useDashboard = <Value,>(select: (state: DashboardState) => Value): Value =>
  useStore(use(Store), select)

export const useSlice = <Name extends keyof Slices>(name: Name): Slices[Name] => useDashboard(slices[name])

export const useIsOpen = (name: Overlay['name']): boolean =>
  useDashboard(({ overlay }) => overlay?.name === name)

/** Goes to a view and closes the drawer. The view that is already shown adds no history entry. */
export function useGoToView() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const close = useDashboard((state) => state.close)
  return (view: ViewName) => {
    close('drawer')
    if (view !== viewIn(search)) navigate(pathOf(view))
  }
}
