import { useState } from 'react'
import { useLocation } from 'react-router'
import { fold } from '#contract/folding.ts'
import { beginDashboard } from '../api/session.ts'
import { createEngine } from '../engine/engine.ts'
import { notes, rest } from '../parts/parts.ts'
import { TypeAhead, typedAhead } from '../ui/held-keys.ts'
import '../parts/imports.ts'
import { DashboardStateProvider, useDashboard, useSearchText, useTagName } from '../state/dashboard-state.tsx'
import { shownView } from '../state/dashboard-store.ts'
import { pageNeeds } from '../state/page-needs.ts'
import { EngineProvider } from '../state/use-engine.tsx'
import { AddTaskDialog } from '../tasks/form/add-task-dialog.tsx'
import { EditTaskDialog } from '../tasks/form/edit-task-dialog.tsx'
import { ListPanel } from '../tasks/list/list-panel.tsx'
import { ChunkFailure } from '../ui/chunk-failure.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { usePart } from '../ui/use-part.ts'
import { views } from '../views/views.ts'
import { Background } from './background.tsx'
import { DashboardLayout } from './dashboard-layout.tsx'
import { RestDialogs } from './rest-dialogs.tsx'

export default function Dashboard() {
  const [isOwn] = useState(beginDashboard)
  const [engine] = useState(() => createEngine(pageNeeds()))
  if (!isOwn) return null
  return (
    <DashboardStateProvider>
      <EngineProvider value={engine}>
        <DashboardLayout>
          <ShownPanel />
        </DashboardLayout>
        <AddTaskDialog />
        <EditTaskDialog />
        <RestDialogs />
        <Toasts place="dashboard-toasts" />
        <Background />
      </EngineProvider>
    </DashboardStateProvider>
  )
}

function ShownPanel() {
  const name = useDashboard(shownView)
  const openings = useDashboard((state) => state.openings)
  const text = useSearchText()
  const tagName = useTagName()
  const isTag = tagName !== undefined && text === undefined
  const view = name && views[name]
  const panel = view && 'panel' in view && text === undefined ? view.panel : undefined
  const isOfRest = text !== undefined || isTag || panel === 'deleted'
  const loaded = usePart(rest, isOfRest)
  if (!isOfRest) {
    if (panel === 'notes') return <Notes />
    return view && !('panel' in view) && <ListPanel key={`${name} ${openings}`} view={view} />
  }
  if (loaded === 'failed') {
    const title = text !== undefined ? 'Search results' : isTag ? `#${tagName}` : views.deleted.title
    return <NotLoaded title={title} onRetry={rest.want} />
  }
  if (text !== undefined) return loaded && <loaded.SearchPanel text={text} />
  if (isTag) return loaded && <loaded.TagPanel key={fold(tagName)} name={tagName} />
  return loaded && <loaded.DeletedPanel key={openings} />
}

function Notes() {
  const isNewNote = useLocation().state?.isNew === true
  const loaded = usePart(notes)
  if (loaded && loaded !== 'failed') return <loaded.NotesPanel />
  const typed = typedAhead()
  return (
    <>
      {loaded === 'failed' && <NotLoaded title={views.notes.title} onRetry={notes.want} />}
      {/* Also after they could not be loaded, if a note has been begun. */}
      {(isNewNote || typed !== undefined) && (loaded !== 'failed' || typed) && <TypeAhead />}
    </>
  )
}

const NotLoaded = ({ title, onRetry }: { title: string; onRetry: () => void }) => (
  <section className="panel" aria-labelledby="panel-title">
    <h1 id="panel-title" className="panel-title title" tabIndex={-1}>
      {title}
    </h1>
    <ChunkFailure onRetry={onRetry} />
  </section>
)
