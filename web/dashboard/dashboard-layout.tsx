import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { noteIntent } from '../api/note-intent.ts'
import { useRetriedChunk } from '../reminders/use-retried-chunk.ts'
import { changeSettings, useSettings } from '../settings/settings-store.ts'
import { useIsOpen } from '../state/dashboard-state.tsx'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { LaterSelectionTools } from '../tasks/selection/later-selection-tools.tsx'
import { UndoBar } from '../tasks/undo-bar.tsx'
import { onOutdated } from '../ui/load-chunk.ts'
import { SkipLink } from '../ui/skip-link.tsx'
import { useChunk } from '../ui/use-chunk.ts'
import { useMedia } from '../ui/use-media.ts'
import { UnsentNotice } from '../unsent/unsent-notice.tsx'
import { UnsentState } from '../unsent/unsent-state.tsx'
import { PhoneBar, TopBar } from './bars.tsx'
import { loadFrameDialogs } from './later-dialogs.tsx'
import { Sidebar } from './sidebar.tsx'
import './dashboard-layout.css'
import './messages.css'
import './print.css'

const noEvents = () => () => {}

/** The offer to write a note, loaded if one is wanted. */
function LaterNoteOffer() {
  const isWanted = useSyncExternalStore(noEvents, noteIntent, () => null) !== null
  const [offer] = useChunk(loadFrameDialogs, isWanted)
  return typeof offer === 'object' && <offer.NoteOffer />
}

const loadWatch = () => import('../reminders/reminder-watch.tsx')

/** The reminders of the open page, once all tasks are known. */
function LaterReminders() {
  const isComplete = useStored((store) => store.isComplete)
  const chunk = useRetriedChunk(loadWatch, isComplete)
  return chunk && <chunk.ReminderWatch />
}

/**
 * Lets the dashboard be opened without a network. Offers to reload once a newer build is in this browser, or once the server no
 * longer has a part of this build, because without most parts the page works and reports nothing.
 */
function LaterNewVersion() {
  const [isNew, setIsNew] = useState(false)
  const { sayUnstored } = useEngine().connection
  useEffect(() => onOutdated(() => setIsNew(true)), [])
  useEffect(() => {
    // Without HTTPS, and in some private windows, there are no workers.
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    const left = new AbortController()
    const { signal } = left
    const keep = () =>
      import('./keep-worker.ts').then(
        ({ keepWorker }) =>
          keepWorker({ onNewVersion: () => setIsNew(true), onUnstored: sayUnstored }, signal),
        console.warn,
      )
    // After everything that the first view needs.
    if (document.readyState === 'complete') keep()
    else window.addEventListener('load', keep, { signal })
    return () => left.abort()
  }, [sayUnstored])
  const [chunk] = useChunk(loadFrameDialogs, isNew)
  return isNew && typeof chunk === 'object' && <chunk.NewVersion onClose={() => setIsNew(false)} />
}

export function DashboardLayout({ children }: { children: ReactNode }) {
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
            <p className="notice edged stack">The dashboard needs JavaScript.</p>
          </noscript>
          <UnsentNotice />
          <LaterNoteOffer />
          {children}
        </main>
        {/* The one place for messages: nothing in it covers another message. */}
        <div className="messages">
          <LaterReminders />
          <LaterNewVersion />
          <UnsentState />
          <LaterSelectionTools />
          <UndoBar />
        </div>
        <PhoneBar />
      </div>
    </div>
  )
}

/**
 * Whether the sidebar is a narrow rail. If there is enough width, the settings decide. Otherwise it is a rail until it is
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
