import { logOut } from '../api/held-session.ts'
import { saveNotes } from '../engine/unsent-notes.ts'
import { useWriteNote } from '../notes/use-go-to-note.ts'
import { SearchBox } from '../search/search-box.tsx'
import { useDashboard, useGoToView, useIsOpen, useShownView } from '../state/dashboard-state.tsx'
import { useEngine } from '../state/use-engine.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { typedText } from '../ui/held-keys.ts'
import { Icon } from '../ui/icon.tsx'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { watchPresses } from '../ui/watch-presses.ts'
import { views } from '../views/views.ts'
import { useQuickLine } from './input-focus.ts'
import './phone-bar.css'
import './top-bar.css'

/** In milliseconds: how long a logout waits for what is being sent. A network can let nothing through for minutes. */
const longestWait = 2000

export function TopBar() {
  const isDrawerOpen = useIsOpen('drawer')
  const open = useDashboard((state) => state.open)

  const engine = useEngine()
  const [leave] = useOneAtATime(async (button: HTMLElement) => {
    const isBusyElsewhere = watchPresses(button)
    const sent = Promise.allSettled([saveNotes(engine), engine.journal.answered()])
    await Promise.race([sent, new Promise((waited) => setTimeout(waited, longestWait))])
    if (engine.waiting.isNothing() && !typedText() && engine.unsent.countOfOthers() === 0) logOut()
    else if (!isBusyElsewhere()) open({ name: 'logOut' })
  })

  return (
    <header className="top-bar row">
      <IconButton
        icon="menu"
        className="drawer-open"
        label="Open menu"
        aria-expanded={isDrawerOpen}
        onClick={() => open({ name: 'drawer' })}
      />
      <SearchBox />
      <div className="top-bar-rest row">
        <IconButton
          icon="keyboard"
          className="keys-open"
          label="Keys"
          onClick={() => open({ name: 'keys' })}
        />
        <IconButton icon="account" label="Account" onClick={() => open({ name: 'account' })} />
        <Button
          className="button button-quiet"
          data-action="logout"
          onClick={({ currentTarget }) => leave(currentTarget)}
        >
          <Icon name="logout" />
          Logout
        </Button>
      </div>
    </header>
  )
}

const phoneViews = ['today', 'upcoming', 'notes'] as const

/** The drawer has the other views. */
export function PhoneBar() {
  const shown = useShownView()
  const goTo = useGoToView()
  const writeLine = useQuickLine()
  const writeNote = useWriteNote()
  const isNotes = shown === 'notes'
  return (
    <nav aria-label="Bottom bar" className="phone-bar choices">
      {phoneViews.map((name) => (
        <button
          key={name}
          type="button"
          aria-label={`Show ${views[name].label}`}
          aria-current={name === shown}
          onClick={() => goTo(name)}
        >
          <Icon name={views[name].icon} />
          {views[name].label}
        </button>
      ))}
      <button
        type="button"
        aria-label={isNotes ? 'New note' : 'New task'}
        onClick={isNotes ? writeNote : writeLine}
      >
        <Icon name="plus" />
        New
      </button>
    </nav>
  )
}
