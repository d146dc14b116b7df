import { createContext, type ReactNode, use, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation, useNavigate } from 'react-router'
import { useStore } from 'zustand'
import { useSignal } from '../ui/use-signal.ts'
import { pathOf, searchIn, tagIn, tagPath, type ViewName, viewAt } from '../views/views.ts'
import { createDashboardStore, type DashboardState, type Overlay, shownView } from './dashboard-store.ts'

const Store = createContext(createDashboardStore())

/** Each visit to the dashboard has a separate store, which follows the URL. */
export function DashboardStateProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createDashboardStore)
  const rendered = useLocation()
  // After hydration: the prerendered page does not know which list its URL will name.
  useLayoutEffect(() => store.getState().show(viewAt(rendered)), [store, rendered])
  // Back before an opened list was rendered returns to the rendered location, which is no change for the router.
  useSignal([store], (signal) => {
    // Not when Back leaves the dashboard: a list would be opened on the way out.
    const follow = () =>
      location.pathname.startsWith(pathOf('today')) && store.getState().show(viewAt(location))
    window.addEventListener('popstate', follow, { signal })
  })
  return <Store value={store}>{children}</Store>
}

export const useDashboard = <Value,>(select: (state: DashboardState) => Value) => useStore(use(Store), select)

export const useIsOpen = (name: Overlay['name']) => useDashboard(({ overlay }) => overlay?.name === name)

/** Whether a dialog covers the page. The drawer does not count: the keys of the page work beside it. */
export const useIsDialogOpen = (): boolean =>
  useDashboard(({ overlay }) => overlay !== undefined && overlay.name !== 'drawer')

/** The view takes the focus. A view that is already shown is opened again, without a history entry. A note leads to its list. */
export function useGoToView() {
  const navigate = useNavigate()
  const close = useDashboard((state) => state.close)
  const reopen = useDashboard((state) => state.reopen)
  const show = useDashboard((state) => state.show)
  return (view: ViewName) => {
    // As long as the drawer is open, the main area is inert; when it closes, the focus returns to its button.
    flushSync(() => close('drawer'))
    document.getElementById('main')?.focus({ preventScroll: true })
    // The browser's own location: a second key comes before the list of the first has been rendered.
    const isShown =
      view === viewAt(location) &&
      searchIn(location) === undefined &&
      tagIn(location) === undefined &&
      (view !== 'notes' || location.pathname + location.search === pathOf(view))
    if (isShown) return reopen()
    navigate(pathOf(view))
    // The router renders the new location later, after a frame of the old view.
    show(view)
    // Before the location changes, because until then a key or a press would act on the middle of the new list.
    window.scrollTo(0, 0)
  }
}

/** A focus in the tag that is shown would be lost with it. */
export function useReplaceTag() {
  const navigate = useNavigate()
  return (tag: string) => {
    const main = document.getElementById('main')
    if (main?.contains(document.activeElement)) main.focus({ preventScroll: true })
    navigate(tagPath(tag), { replace: true })
  }
}

/** What the URL names by this function; undefined during hydration, like the view. */
function useNamed(named: typeof searchIn): string | undefined {
  const text = named(useLocation())
  const isHydrated = useDashboard(({ main }) => main !== 'nothing')
  return isHydrated ? text : undefined
}

export const useSearchText = (): string | undefined => useNamed(searchIn)

/** Without its `#`, and also while a search covers it. */
export const useTagName = (): string | undefined => useNamed(tagIn)

/** Undefined while a tag or the results of a search are shown. */
export function useShownView(): ViewName | undefined {
  const view = useDashboard(shownView)
  const isOther = [useSearchText(), useTagName()].some((text) => text !== undefined)
  return isOther ? undefined : view
}
