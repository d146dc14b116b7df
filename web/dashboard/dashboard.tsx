import { useState } from 'react'
import { useLocation } from 'react-router'
import { fold } from '#contract/folding.ts'
import { beginDashboard } from '../api/session.ts'
import { createEngine } from '../engine/engine.ts'
import { isAhead, isTypingAhead, TypeAhead } from '../notes/typed-ahead.ts'
import { loadSearchPanel } from '../search/search-box.tsx'
import { DashboardStateProvider, useDashboard, useSearchText, useTagName } from '../state/dashboard-state.tsx'
import { shownView } from '../state/dashboard-store.ts'
import { pageNeeds } from '../state/page-needs.ts'
import { EngineProvider } from '../state/use-engine.tsx'
import { AddTaskDialog } from '../tasks/form/add-task-dialog.tsx'
import { EditTaskDialog } from '../tasks/form/edit-task-dialog.tsx'
import { ListPanel } from '../tasks/list/list-panel.tsx'
import { ChunkFailure } from '../ui/chunk-failure.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { useChunk } from '../ui/use-chunk.ts'
import { views } from '../views/views.ts'
import { Background } from './background.tsx'
import { DashboardLayout } from './dashboard-layout.tsx'
import { LaterDialogs } from './later-dialogs.tsx'

const loadDeleted = () => import('../deleted/deleted-panel.tsx')
const loadTag = () => import('../search/tag-panel.tsx')
const loadNotes = () => import('../notes/notes-panel.tsx')

/** Loaded as a separate chunk, so that the public pages load none of it. */
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
        <LaterDialogs />
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
  const isNewNote = useLocation().state?.isNew === true
  const [notes, retry] = useChunk(loadNotes, panel === 'notes')
  const [deleted, retryDeleted] = useChunk(loadDeleted, panel === 'deleted')
  const [search, retrySearch] = useChunk(loadSearchPanel, text !== undefined)
  const [tag, retryTag] = useChunk(loadTag, isTag)
  if (text !== undefined) {
    if (search === 'failed') return <NotLoaded title="Search results" onRetry={retrySearch} />
    return search && <search.SearchPanel text={text} />
  }
  if (isTag) {
    if (tag === 'failed') return <NotLoaded title={`#${tagName}`} onRetry={retryTag} />
    return tag && <tag.TagPanel key={fold(tagName)} name={tagName} />
  }
  if (!view) return
  if (!('panel' in view)) return <ListPanel key={`${name} ${openings}`} view={view} />
  if (panel === 'deleted') {
    if (deleted === 'failed') return <NotLoaded title={view.title} onRetry={retryDeleted} />
    return deleted && <deleted.default key={openings} />
  }
  if (notes && notes !== 'failed') return <notes.default />
  return (
    <>
      {notes === 'failed' && <NotLoaded title={view.title} onRetry={retry} />}
      {/* Also after they could not be loaded, if a note has been begun. */}
      {(isNewNote || isAhead()) && (notes !== 'failed' || isTypingAhead()) && <TypeAhead />}
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
