import { useLocation } from 'react-router'
import { keepTyped } from '../notes/typed-ahead.ts'
import { SearchPanel } from '../search/search-panel.tsx'
import { useDashboard, useSearchText } from '../state/dashboard-state.tsx'
import { shownView } from '../state/dashboard-store.ts'
import { ListFailure } from '../tasks/list/list-failure.tsx'
import { ListPanel } from '../tasks/list/list-panel.tsx'
import { notLoaded, useChunk } from '../ui/use-chunk.ts'
import { views } from '../views/views.ts'
import { DashboardLayout } from './layout.tsx'

const loadNotes = () => import('../notes/notes-panel.tsx')

/** Loaded as a chunk of its own, so that the public pages load none of it. */
export default function Dashboard() {
  return (
    <DashboardLayout>
      <ShownPanel />
    </DashboardLayout>
  )
}

function ShownPanel() {
  const name = useDashboard(shownView)
  const text = useSearchText()
  const view = name && views[name]
  const isNotes = view !== undefined && 'panel' in view && text === undefined
  const isNewNote = useLocation().state?.isNew === true
  const [notes, retry] = useChunk(loadNotes, isNotes)
  if (text !== undefined) return <SearchPanel text={text} />
  if (!view) return
  if (!('panel' in view)) return <ListPanel key={name} view={view} />
  if (notes === 'failed') return <NotLoaded title={view.title} onRetry={retry} />
  if (notes) return <notes.default />
  return isNewNote && <TypeAhead />
}

/** Takes what is typed into a new note while the notes are loading, which would be single keys otherwise. */
const TypeAhead = () => <textarea ref={typeAhead} className="visually-hidden" aria-label="Note" />

function typeAhead(area: HTMLTextAreaElement) {
  area.focus({ preventScroll: true })
  return () => keepTyped(area.value)
}

const NotLoaded = ({ title, onRetry }: { title: string; onRetry: () => void }) => (
  <section className="panel" aria-labelledby="panel-title">
    <h1 id="panel-title" className="panel-title" tabIndex={-1}>
      {title}
    </h1>
    <ListFailure text={notLoaded} onRetry={onRetry} />
  </section>
)
