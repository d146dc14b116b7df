import type { NavigateFunction } from 'react-router'
import { isBlank } from '#contract/blank.ts'
import { titleLength } from '#contract/limits.ts'
import { rememberNoteIntent } from '../api/note-intent.ts'
import { ownAccount } from '../api/session.ts'
import type { Engine } from '../engine/engine.ts'
import type { DashboardState } from '../state/dashboard-store.ts'

type LaunchedPage = {
  engine: Pick<Engine, 'quickLines'>
  navigate: NavigateFunction
  open: DashboardState['open']
  writeNote: () => void
}

/**
 * Follows a shortcut of the installed page, or takes what another program shares (`manifest.webmanifest`). Nothing is created,
 * because any site can link here.
 */
export function launch(search: string, { engine, navigate, open, writeNote }: LaunchedPage) {
  const parameters = new URLSearchParams(search)
  const wanted = parameters.get('new')
  const shared = sharedText(parameters)
  const isLine = shared.length <= titleLength.max && !shared.includes('\n')
  // First: it renders the offer of a note too.
  if (shared !== '' && !(isLine && ownAccount())) rememberNoteIntent(shared)
  navigate('/dashboard', { replace: true })
  if (wanted === 'task') open({ name: 'addTask' })
  if (wanted === 'note') writeNote()
  if (shared === '' || !isLine || !ownAccount()) return
  engine.quickLines.getState().share(shared)
  document.querySelector<HTMLElement>('[data-quick-add]')?.focus()
}

/** Programs name the same address in several of the parts. */
function sharedText(parameters: URLSearchParams): string {
  const parts = ['title', 'text', 'url'].map((name) => parameters.get(`shared-${name}`)?.trim() ?? '')
  const different = [...new Set(parts)].filter(
    (part) => !isBlank(part) && !parts.some((other) => other !== part && other.includes(part)),
  )
  return different.join(different.some((part) => part.includes('\n')) ? '\n' : ' ')
}
