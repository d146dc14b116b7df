import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AccountDialog } from '../account/account-dialog.tsx'
import { DashboardStateProvider, useDashboard, useIsOpen } from '../state/dashboard-state.tsx'
import { AddTaskDialog } from '../tasks/add-task-dialog.tsx'
import { EditTaskDialog } from '../tasks/edit-task-dialog.tsx'
import { SkipLink } from '../ui/skip-link.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'
import { useOthersChanges } from './use-others-changes.ts'
import { useSessionWatch } from './use-session-watch.ts'
import './layout.css'

/** Wraps the dashboard, so that the shared client state is available to all of its parts. */
export function DashboardLayout({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() => new QueryClient())
  useSessionWatch()
  useOthersChanges(queryClient)
  return (
    <DashboardStateProvider>
      <QueryClientProvider client={queryClient}>
        <Frame>{children}</Frame>
        <AddTaskDialog />
        <EditTaskDialog />
        <AccountOverlay />
        <KeysDialog />
        <Toasts
          place="dashboard-toasts"
          label="Task notifications"
          position="bottom-right"
          autoClose={1000}
        />
      </QueryClientProvider>
    </DashboardStateProvider>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const isDrawerOpen = useIsOpen('drawer')
  const [collapsed, setCollapsed] = useState(false)
  return (
    <div className="dashboard" data-collapsed={collapsed} data-drawer={isDrawerOpen}>
      <SkipLink />
      <Sidebar collapsed={collapsed} onCollapse={() => setCollapsed(!collapsed)} />
      <div className="dashboard-rest" inert={isDrawerOpen}>
        <TopBar />
        <main id="main" tabIndex={-1}>
          <noscript>
            <p className="notice">The dashboard needs JavaScript.</p>
          </noscript>
          {children}
        </main>
      </div>
    </div>
  )
}

function AccountOverlay() {
  const close = useDashboard((state) => state.close)
  return <AccountDialog open={useIsOpen('account')} onClose={() => close('account')} />
}
