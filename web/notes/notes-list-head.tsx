import { fold } from '#contract/folding.ts'
import { type NoteOrder, noteOrders } from '#contract/settings.ts'
import { changeSettings } from '../settings/settings-store.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { writeNoteKey } from '../views/command-keys.ts'
import { views } from '../views/views.ts'
import { noteIcons } from './note-icons.ts'
import { NoteMenu } from './note-menu.tsx'
import { useWriteNote } from './use-go-to-note.ts'

const texts: Record<NoteOrder, { name: string; lead: string }> = {
  changed: { name: 'Sort by change', lead: views.notes.lead },
  created: { name: 'Sort by creation', lead: 'What you wrote, last begun first' },
  title: { name: 'Sort by title', lead: 'What you wrote, by title' },
}

export function ListHead({ order, tag }: { order: NoteOrder; tag: string | undefined }) {
  const write = useWriteNote()
  const { tags } = useEngine()
  const filterNotes = useDashboard((state) => state.filterNotes)
  // A text, because it stays the same until a tag changes.
  const tagsOfNotes = useStored(() => tags.ofNotes().join(' '))
  const orders = noteOrders.map((name) => ({
    name: texts[name].name,
    pressed: name === order,
    onClick: () => changeSettings({ noteOrder: name }),
  }))
  const filters = tagsOfNotes.split(' ').flatMap((name, index) => {
    const pressed = tag !== undefined && fold(name) === fold(tag)
    const onClick = () => filterNotes(pressed ? undefined : name)
    return name ? { name, pressed, beginsGroup: index === 0, onClick } : []
  })
  return (
    <>
      <header className="notes-list-head row wraps apart">
        <h1 id="panel-title" className="panel-title title" tabIndex={-1}>
          {views.notes.title}
        </h1>
        <div className="row tight">
          <NoteMenu icon={noteIcons.order} label="Sort and filter" items={[...orders, ...filters]} />
          <Button aria-keyshortcuts={writeNoteKey} onClick={write}>
            <Icon name="plus" />
            Write a note
          </Button>
        </div>
      </header>
      <p className="notes-list-lead soft small">
        {tag ? (
          <>
            <bdi>{tag}</bdi> <LinkButton onClick={() => filterNotes(undefined)}>Show all notes</LinkButton>
          </>
        ) : (
          texts[order].lead
        )}
      </p>
    </>
  )
}
