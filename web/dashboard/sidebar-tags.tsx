import { useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { fold } from '#contract/folding.ts'
import { useDashboard, useTagName } from '../state/dashboard-state.tsx'
import { useEngine } from '../state/use-engine.tsx'
import { LinkButton } from '../ui/button.tsx'
import { tagPath } from '../views/views.ts'
import './sidebar-tags.css'

/** How many tags are listed until the others are unfolded; one or two more are not worth a fold. */
const maxShown = 8

const none: readonly string[] = []

/** The tags in use: each leads to its tasks and notes. The most used ones, sorted by name. */
export function SidebarTags() {
  const { used, subscribe } = useEngine().tags
  const tags = useSyncExternalStore(subscribe, used, () => none)
  const [isUnfolded, setUnfolded] = useState(false)
  const shownTag = useTagName()
  const close = useDashboard((state) => state.close)
  if (tags.length === 0) return null
  const isFolding = tags.length > maxShown + 2
  const shown = isUnfolded || !isFolding ? tags : tags.slice(0, maxShown)
  return (
    <nav aria-label="Tags" className="sidebar-tags">
      <ul>
        {shown
          .toSorted((one, other) => one.localeCompare(other))
          .map((tag) => (
            <li key={fold(tag)}>
              <Link
                className="tag"
                to={tagPath(tag)}
                aria-current={
                  shownTag !== undefined && fold(`#${shownTag}`) === fold(tag) ? 'true' : undefined
                }
                dir="auto"
                onClick={() => close('drawer')}
              >
                {tag}
              </Link>
            </li>
          ))}
      </ul>
      {isFolding && (
        <LinkButton aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
          {isUnfolded ? 'Fewer tags' : `All ${tags.length} tags`}
        </LinkButton>
      )}
    </nav>
  )
}
