import { useState } from 'react'
import './task-body.css'

const foldedLines = 6
const foldedLength = 400

/** The body of a task. A long one is folded: the rest is not in the page until it is unfolded. */
export function TaskBody({ body }: { body: string }) {
  const [unfolded, setUnfolded] = useState(false)
  const beginning = beginningOf(body)
  const isLong = beginning.length < body.length
  return (
    <div className="task-body">
      <p dir="auto">{unfolded || !isLong ? body : `${beginning}…`}</p>
      {isLong && (
        <button
          type="button"
          className="link-button"
          aria-expanded={unfolded}
          onClick={() => setUnfolded(!unfolded)}
        >
          {unfolded ? 'Show less' : 'Show more'}
        </button>
      )}
    </div>
  )
}

/** The first lines and characters, without splitting a surrogate pair. */
function beginningOf(body: string): string {
  const lines = body.split('\n', foldedLines).join('\n')
  if (lines.length <= foldedLength) return lines
  return [...lines.slice(0, foldedLength)].slice(0, -1).join('').trimEnd()
}
