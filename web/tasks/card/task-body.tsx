import { use, useMemo, useState } from 'react'
import type { CheckLine } from '#contract/check-lines.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { type BodyPart, splitAtCheckLines } from './check-lines.ts'
import { LinkedText } from './linked-text.tsx'
import { Finder, SearchedWords } from './marked-text.tsx'
import './task-body.css'

const foldedLines = 6
/** A checklist of more lines is folded to how many of them are ticked. */
const checklistLines = 5
const foldedLength = 400
const deepestIndent = 12

type OnCheck = (line: CheckLine, checked: boolean) => unknown

/** In a search, a folded body begins shortly before the first word that was found. */
export function TaskBody({ body, onCheck }: { body: string; onCheck?: OnCheck }) {
  const [unfolded, setUnfolded] = useState(false)
  const words = use(SearchedWords)
  const finder = use(Finder)
  const checks = useMemo(() => (words.length > 0 ? [] : checksIn(body)), [body, words])
  const isChecklist = checks.length > checklistLines
  const beginning = beginningOf(body)
  const isLong = !isChecklist && beginning.length < body.length
  const isFolded = isLong && !unfolded
  const start = useMemo(
    () => (isLong && finder ? finder.excerptStart(body, words, beginning.length) : 0),
    [body, words, finder, isLong, beginning.length],
  )
  const all = splitAtCheckLines(isFolded ? beginning : body)
  const parts = isChecklist && !unfolded ? beginningOfText(all, body) : all
  const isCutInCheckLine = isFolded && parts.at(-1)?.kind === 'check'
  return (
    <div className="task-body soft" data-selectable>
      {isChecklist && (
        <Checklist checks={checks} unfolded={unfolded} onPress={() => setUnfolded(!unfolded)} />
      )}
      {isFolded && start > 0 ? (
        <Excerpt body={body} start={start} />
      ) : (
        <>
          {parts.map((part, index) =>
            part.kind === 'check' ? (
              <Check key={`${part.line} ${part.text}`} body={body} part={part} onCheck={onCheck} />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the text between two lines has no identity but its place
              <p key={`text ${index}`} dir="auto">
                <LinkedText text={body} start={part.start} end={part.end} />
                {isFolded && index === parts.length - 1 && '…'}
              </p>
            ),
          )}
          {isCutInCheckLine && <p>…</p>}
        </>
      )}
      {isLong && (
        <LinkButton aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          {unfolded ? 'Show less' : 'Show more'}
        </LinkButton>
      )}
    </div>
  )
}

type Checked = Extract<BodyPart, { kind: 'check' }>

const checksIn = (body: string): Checked[] =>
  /\[[ xX]\]/.test(body) ? splitAtCheckLines(body).filter((part) => part.kind === 'check') : []

function beginningOfText(parts: BodyPart[], body: string): BodyPart[] {
  const text = parts.find(({ kind, start, end }) => kind === 'text' && end > start)
  return text ? [{ ...text, end: text.start + beginningOf(body.slice(text.start, text.end)).length }] : []
}

type ChecklistProps = { checks: Checked[]; unfolded: boolean; onPress: () => void }

function Checklist({ checks, unfolded, onPress }: ChecklistProps) {
  const done = checks.filter(({ checked }) => checked).length
  return (
    <Button className="checklist row small" aria-expanded={unfolded} onClick={onPress}>
      <span className="checklist-bar">
        <span className="checklist-done" style={{ width: `${(100 * done) / checks.length}%` }} />
      </span>
      {done} of {checks.length}
    </Button>
  )
}

function Excerpt({ body, start }: { body: string; start: number }) {
  const end = start + beginningOf(body.slice(start)).length
  return (
    <p dir="auto">
      …
      <LinkedText text={body} start={start} end={end} />
      {end < body.length && '…'}
    </p>
  )
}

function Check({ body, part, onCheck }: { body: string; part: Checked; onCheck: OnCheck | undefined }) {
  const { line, text, indent, checked, start, end } = part
  return (
    <label
      className="check-line"
      dir="auto"
      style={{ paddingInlineStart: `${Math.min(indent, deepestIndent)}ch` }}
    >
      <input
        type="checkbox"
        data-action={`line-${line}`}
        checked={checked}
        onChange={({ target }) => onCheck?.({ line, text }, target.checked)}
      />
      <span>
        <LinkedText text={body} start={start} end={end} />
      </span>
    </label>
  )
}

function beginningOf(body: string): string {
  const lines = body.split('\n', foldedLines).join('\n')
  if (lines.length <= foldedLength) return lines
  // Splits no surrogate pair.
  return [...lines.slice(0, foldedLength)].slice(0, -1).join('').trimEnd()
}
