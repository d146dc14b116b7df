import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AccountDialog } from '../account/account-dialog.tsx'
import { AddTaskDialog } from '../tasks/add-task-dialog.tsx'
import { SkipLink } from '../ui/skip-link.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { DashboardStateProvider } from './dashboard-state.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'
import { useDrawer } from './use-drawer.ts'
import { useSharedLogout } from './use-shared-logout.ts'
import '../styles/dashboard.css'

/** Wraps the dashboard, so that the shared client state is available to all of its parts. */
export function DashboardLayout({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() => new QueryClient())
  return (
    <DashboardStateProvider>
      <QueryClientProvider client={queryClient}>
        <Frame>{children}</Frame>
        <AddTaskDialog />
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
  const drawer = useDrawer()
  const [collapsed, setCollapsed] = useState(false)
  const [keysOpen, setKeysOpen] = useState(false)
  const [accountOpen, setAccountOpen] = useState(false)
  useSharedLogout()
  return (
    <div className="dashboard" data-collapsed={collapsed} data-drawer={drawer.open}>
      <SkipLink />
      <Sidebar collapsed={collapsed} onCollapse={() => setCollapsed(!collapsed)} onDone={drawer.hide} />
      <div className="dashboard-rest" inert={drawer.open}>
        <TopBar
          drawerOpen={drawer.open}
          onMenu={drawer.show}
          onKeys={() => setKeysOpen(true)}
          onAccount={() => setAccountOpen(true)}
        />
        <main id="main" tabIndex={-1}>
          <noscript>
            <p className="notice">The dashboard needs JavaScript.</p>
          </noscript>
          {children}
        </main>
      </div>
      <AccountDialog open={accountOpen} onClose={() => setAccountOpen(false)} />
      <KeysDialog open={keysOpen} setOpen={setKeysOpen} />
    </div>
  )
}
