import { useEffect, useRef, useState } from 'react'
import { ListFailure } from './list-failure.tsx'

type ListEndProps = { hasMore: boolean; failed: boolean; onReached: () => void }

/** The end of the loaded tasks: scrolling near it loads the next page. */
export function ListEnd({ hasMore, failed, onReached }: ListEndProps) {
  const end = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)

  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: '100% 0px',
    })
    if (end.current) observer.observe(end.current)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    if (near && hasMore && !failed) onReached()
  }, [near, hasMore, failed, onReached])

  return (
    <div ref={end}>
      {failed && <ListFailure text="The rest of the list could not be loaded." onRetry={onReached} />}
    </div>
  )
}
