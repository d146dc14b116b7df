import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AccountDialog } from '../account/account-dialog.tsx'
import { changeSettings, useSettings } from '../settings/settings-store.ts'
import { DashboardStateProvider, useDashboard, useIsOpen } from '../state/dashboard-state.tsx'
import { AddTaskDialog } from '../tasks/form/add-task-dialog.tsx'
import { EditTaskDialog } from '../tasks/form/edit-task-dialog.tsx'
import { UndoBar } from '../tasks/undo/undo-bar.tsx'
import { SkipLink } from '../ui/skip-link.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { useMedia } from '../ui/use-media.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { LaterDialogs } from './later-dialogs.tsx'
import { LogOutDialog } from './log-out-dialog.tsx'
import { NoteOffer } from './note-offer.tsx'
import { PhoneBar } from './phone-bar.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'
import { useOthersChanges } from './use-others-changes.ts'
import { useSessionWatch } from './use-session-watch.ts'
import { useSettingsSync } from './use-settings-sync.ts'
import { useUnsentNotes } from './use-unsent-notes.ts'
import './layout.css'
import './print.css'

/** Wraps the dashboard, so that the shared client state is available to all of its parts. */
export function DashboardLayout({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() => new QueryClient())
  return (
    <DashboardStateProvider>
      <QueryClientProvider client={queryClient}>
        <Frame>{children}</Frame>
        <AddTaskDialog />
        <EditTaskDialog />
        <AccountOverlay />
        <KeysDialog />
        <LaterDialogs />
        <LogOutDialog />
        <Toasts
          place="dashboard-toasts"
          label="Task notifications"
          position="bottom-right"
          autoClose={1000}
        />
        <Background />
      </QueryClientProvider>
    </DashboardStateProvider>
  )
}

/** What runs while the dashboard is open. A component of its own: a new URL renders it again, and nothing around it. */
function Background() {
  const queryClient = useQueryClient()
  useSessionWatch()
  useOthersChanges(queryClient)
  useUnsentNotes(queryClient)
  useSettingsSync(queryClient)
  return null
}

function Frame({ children }: { children: ReactNode }) {
  const isDrawerOpen = useIsOpen('drawer')
  const [collapsed, setCollapsed] = useCollapsed()
  return (
    <div className="dashboard" data-collapsed={collapsed} data-drawer={isDrawerOpen}>
      <SkipLink />
      <Sidebar collapsed={collapsed === true} onCollapse={() => setCollapsed(!collapsed)} />
      <div className="dashboard-rest" inert={isDrawerOpen}>
        <TopBar />
        <main id="main" tabIndex={-1}>
          <noscript>
            <p className="notice">The dashboard needs JavaScript.</p>
          </noscript>
          <NoteOffer />
          {children}
        </main>
        <UndoBar />
        <PhoneBar />
      </div>
    </div>
  )
}

/**
 * Whether the sidebar is a narrow rail: as the settings have it, and where there is little width, until it is
 * expanded. Undefined during hydration, when the width is not known.
 */
function useCollapsed() {
  const isWide = useMedia('(width >= 992px)')
  const { sidebarCollapsed } = useSettings()
  const wide = [sidebarCollapsed, (next: boolean) => changeSettings({ sidebarCollapsed: next })] as const
  const narrow = useState(true)
  if (isWide === undefined) return [undefined, () => {}] as const
  return isWide ? wide : narrow
}

function AccountOverlay() {
  const close = useDashboard((state) => state.close)
  return <AccountDialog open={useIsOpen('account')} onClose={() => close('account')} />
}
