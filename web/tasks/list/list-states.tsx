import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Delayed } from '../../ui/delayed.tsx'
import { Notice } from '../../ui/notice.tsx'
import './task-skeleton.css'

type ListFailureProps = { text: string; error?: Error; onRetry: () => void }

/** Stays after the toast about the failure has closed. */
export const ListFailure = ({ text, error, onRetry }: ListFailureProps) => (
  <Notice>
    <p>{error ? `${text} ${error.message}` : text}</p>
    <Button onClick={onRetry}>Try again</Button>
  </Notice>
)

type ListEndProps = { hasMore: boolean; failed?: boolean; onReached: (pages?: number) => void }

export function ListEnd({ hasMore, failed = false, onReached }: ListEndProps) {
  const end = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  /** How often in a row the end was reached and stayed in view: folded tasks do not move it. */
  const repeats = useRef(0)

  useEffect(() => {
    // Of several crossings that are reported at once, the last is the state now.
    const observer = new IntersectionObserver(
      (crossings) => setNear(crossings.at(-1)?.isIntersecting ?? false),
      { rootMargin: '100% 0px' },
    )
    if (end.current) observer.observe(end.current)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    // Cards that were shown at once have moved the end before the observer says so.
    const isNear = () => near && (end.current?.getBoundingClientRect().top ?? 0) < 2 * window.innerHeight
    if (!isNear()) repeats.current = 0
    if (!near || !hasMore || failed) return
    if (isNear()) onReached(2 ** repeats.current++)
    // If another answer cancels the request at once, nothing here changes, so the page is asked for again. Neither does the
    // observer say anything if a reader has scrolled to the moved end before it could.
    let [looks, next] = [0, 1]
    const timer = setInterval(() => {
      if (!isNear() || ++looks < next) return
      ;[looks, next] = [0, 2 * next]
      onReached()
    }, 1000)
    return () => clearInterval(timer)
  }, [near, hasMore, failed, onReached])

  return (
    <div ref={end}>
      {hasMore && <p className="print-only">The list goes on.</p>}
      {failed && <ListFailure text="The rest of the list could not be loaded." onRetry={() => onReached()} />}
    </div>
  )
}

export const TaskSkeleton = () => (
  <Delayed>
    <div className="skeleton stack" role="status" aria-label="Loading tasks">
      <div className="skeleton-card edged" />
      <div className="skeleton-card edged" />
      <div className="skeleton-card edged" />
    </div>
  </Delayed>
)
