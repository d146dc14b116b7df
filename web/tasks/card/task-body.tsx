import { use, useMemo, useState } from 'react'
import { type BodyPart, type CheckLine, splitAtCheckLines } from './check-lines.ts'
import { excerptStart } from './excerpt.ts'
import { LinkedText } from './linked-text.tsx'
import { SearchedWords } from './marked-text.tsx'
import './task-body.css'

const foldedLines = 6
const foldedLength = 400
const deepestIndent = 12

type TaskBodyProps = {
  body: string
  /** Ticks a line or unticks it, and settles when the task shows it. */
  onCheck?: ((line: CheckLine, checked: boolean) => Promise<unknown>) | undefined
}

/**
 * The body of a task. A long one is folded: the rest is not in the page until it is unfolded. In a search, the folded body
 * begins shortly before the first word that was found, if that is not at the beginning.
 */
export function TaskBody({ body, onCheck }: TaskBodyProps) {
  const [unfolded, setUnfolded] = useState(false)
  const words = use(SearchedWords)
  const beginning = beginningOf(body)
  const isLong = beginning.length < body.length
  const isFolded = isLong && !unfolded
  const start = useMemo(
    () => (isLong ? excerptStart(body, words, beginning.length) : 0),
    [body, words, isLong, beginning.length],
  )
  const parts = splitAtCheckLines(isFolded ? beginning : body)
  const isCutInCheckLine = isFolded && parts.at(-1)?.kind === 'check'
  return (
    <div className="task-body" data-selectable>
      {isFolded && start > 0 ? (
        <Excerpt text={body.slice(start)} />
      ) : (
        <>
          {parts.map((part, index) =>
            part.kind === 'check' ? (
              <Check key={`${part.line} ${part.text}`} body={body} part={part} onCheck={onCheck} />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the text between two lines has no identity but its place
              <p key={`text ${index}`} dir="auto">
                <LinkedText text={body.slice(part.start)} length={part.end - part.start} />
                {isFolded && index === parts.length - 1 && '…'}
              </p>
            ),
          )}
          {isCutInCheckLine && <p>…</p>}
        </>
      )}
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

/** The beginning of a part of a body. */
function Excerpt({ text }: { text: string }) {
  const { length } = beginningOf(text)
  return (
    <p dir="auto">
      …
      <LinkedText text={text} length={length} />
      {length < text.length && '…'}
    </p>
  )
}

type CheckProps = Pick<TaskBodyProps, 'body' | 'onCheck'> & { part: Extract<BodyPart, { kind: 'check' }> }

function Check({ body, part, onCheck }: CheckProps) {
  // Shown at once, before the server has answered.
  const [shown, setShown] = useState<boolean>()
  const { line, text, indent, checked, start, end } = part

  async function check(next: boolean) {
    setShown(next)
    await onCheck?.({ line, text }, next)
    // Unless it was pressed again meanwhile.
    setShown((latest) => (latest === next ? undefined : latest))
  }

  return (
    <label
      className="check-line"
      dir="auto"
      style={{ paddingInlineStart: `${Math.min(indent, deepestIndent)}ch` }}
    >
      <input
        type="checkbox"
        data-action={`line-${line}`}
        checked={shown ?? checked}
        onChange={({ target }) => check(target.checked)}
      />
      <span>
        <LinkedText text={body.slice(start)} length={end - start} />
      </span>
    </label>
  )
}

/** The first lines and characters, without splitting a surrogate pair. */
function beginningOf(body: string): string {
  const lines = body.split('\n', foldedLines).join('\n')
  if (lines.length <= foldedLength) return lines
  return [...lines.slice(0, foldedLength)].slice(0, -1).join('').trimEnd()
}
