import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { useStore } from 'zustand'
import { noteIntent } from '../api/note-intent.ts'
import { rest } from '../parts/parts.ts'
import { ReminderWatch } from '../reminders/reminder-watch.tsx'
import { changeSettings, useSettings } from '../settings/settings-store.ts'
import { useIsDialogOpen, useIsOpen } from '../state/dashboard-state.tsx'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { UndoBar } from '../tasks/undo-bar.tsx'
import { IconButton, LinkButton } from '../ui/button.tsx'
import { HeldKeys } from '../ui/held-keys.ts'
import { onOutdated } from '../ui/load-chunk.ts'
import { SkipLink } from '../ui/skip-link.tsx'
import { useMedia } from '../ui/use-media.ts'
import { useLoaded, usePart } from '../ui/use-part.ts'
import { useSignal } from '../ui/use-signal.ts'
import { UnsentNotice } from '../unsent/unsent-notice.tsx'
import { UnsentState } from '../unsent/unsent-state.tsx'
import { PhoneBar, TopBar } from './bars.tsx'
import { Sidebar } from './sidebar.tsx'
import './dashboard-layout.css'
import './messages.css'
import './print.css'

const noEvents = () => () => {}

/** The offer to write a note, if one is wanted. */
function WantedNote() {
  // Back may have ended one.
  useLocation()
  const isWanted = useSyncExternalStore(noEvents, noteIntent, () => null) !== null
  const loaded = useLoaded(rest, isWanted)
  return loaded && <loaded.NoteOffer />
}

/** The bar of the selection, and selecting with the pointer. */
function Selection() {
  const { selection } = useEngine()
  const isSelecting = useStore(selection, ({ ids }) => ids.size > 0)
  const loaded = usePart(rest, isSelecting)
  const isDialogOpen = useIsDialogOpen()
  // Without its tools, a selection would only keep the keys from working.
  useEffect(() => {
    if (loaded === 'failed') selection.getState().clear()
  }, [loaded, selection])
  if (loaded && loaded !== 'failed') return <loaded.SelectionTools />
  const isWaiting = isSelecting && !loaded && !isDialogOpen
  return isWaiting && <HeldKeys part={rest} onClose={selection.getState().clear} isBeside />
}

/**
 * Lets the dashboard be opened without a network. Offers to reload once a newer build is in this browser, or once the server no
 * longer has a part of this build, because without most parts the page works and reports nothing.
 */
function NewVersion() {
  const [isNew, setIsNew] = useState(false)
  const { sayUnstored } = useEngine().connection
  useEffect(() => onOutdated(() => setIsNew(true)), [])
  const loaded = useLoaded(rest, false)
  useSignal([loaded, sayUnstored], (signal) => {
    // Without HTTPS, and in some private windows, there are no workers.
    if (!loaded || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
    const keep = () =>
      loaded.keepWorker({ onNewVersion: () => setIsNew(true), onUnstored: sayUnstored }, signal)
    // After everything that the first view needs.
    if (document.readyState === 'complete') keep()
    else window.addEventListener('load', keep, { signal })
  })
  if (!isNew) return
  // A reload loses nothing: typed text is kept in the browser.
  return (
    <section className="message edged row" aria-label="New version">
      <LinkButton onClick={() => location.reload()}>Reload for the new version</LinkButton>
      <IconButton icon="close" label="Not now" onClick={() => setIsNew(false)} />
    </section>
  )
}

export function DashboardLayout({ children }: { children: ReactNode }) {
  const isDrawerOpen = useIsOpen('drawer')
  const [collapsed, setCollapsed] = useCollapsed()
  // The reminders of the open page need all tasks.
  const isComplete = useStored((store) => store.isComplete)
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
          <WantedNote />
          {children}
        </main>
        {/* The one place for messages: nothing in it covers another message. */}
        <div className="messages">
          {isComplete && <ReminderWatch />}
          <NewVersion />
          <UnsentState />
          <Selection />
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
