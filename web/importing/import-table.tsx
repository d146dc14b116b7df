import './import-table.css'
import { useEffect, useRef, useState } from 'react'
import { fold } from '#contract/folding.ts'
import { wordsOf } from '#contract/search-rules.ts'
import type { Priority } from '#contract/task-fields.ts'
import type { Corrections, ImportedNote, ImportedRow, ImportedTask, SourcePlace } from '../engine/imported.ts'
import { PriorityBadge } from '../tasks/card/task-card.tsx'
import { ruleText } from '../tasks/repeat/rule-text.ts'
import { formatDay, formatTime, useDayContext } from '../ui/civil-day.ts'
import { inDigits, nameOfPlace } from './parsing/remarks.ts'
import { tagsOf } from './sent-import.ts'

type ImportTableProps = {
  rows: readonly ImportedRow[]
  items: ReadonlyMap<string, ImportedTask | ImportedNote>
  corrections: Corrections
  /** Whether all rows are of the same file, whose name is shown above. */
  isOneFile: boolean
}

const blockLength = 40
/** A block that was not measured yet has rows of this height, in pixels. */
const guess = 40
/** Blocks this close to the window are rendered. */
const margin = '800px 0px'

/** What becomes of each row. Only the rows near the window are rendered, in blocks that keep their height when they are not. */
export function ImportTable({ rows, ...shared }: ImportTableProps) {
  const blocks = Array.from(
    { length: Math.ceil(rows.length / blockLength) },
    (_, block) => block * blockLength,
  )
  return (
    <table
      className="import-table"
      data-is-one-file={shared.isOneFile}
      aria-label="What becomes of each line"
      aria-rowcount={rows.length + 1}
    >
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col">Place</th>
          <th scope="col">In the file</th>
          <th scope="col">Becomes</th>
        </tr>
      </thead>
      {blocks.map((start) => (
        <Block key={start} start={start} rows={rows.slice(start, start + blockLength)} {...shared} />
      ))}
    </table>
  )
}

function Block({ rows, start, ...shared }: ImportTableProps & { start: number }) {
  const body = useRef<HTMLTableSectionElement>(null)
  const height = useRef(0)
  const [isNear, setIsNear] = useState(start === 0)
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return
        if (!entry.isIntersecting) height.current = entry.boundingClientRect.height
        setIsNear(entry.isIntersecting)
      },
      { root: body.current?.closest('dialog') ?? null, rootMargin: margin },
    )
    observer.observe(body.current as Element)
    return () => observer.disconnect()
  }, [])
  return (
    <tbody ref={body} style={isNear ? undefined : { height: height.current || rows.length * guess }}>
      {isNear &&
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a table do not change
        rows.map((row, index) => <Row key={index} row={row} index={start + index} {...shared} />)}
    </tbody>
  )
}

const becoming: Record<ImportedRow['becomes'], string> = {
  task: 'Task',
  note: 'Note',
  checkbox: 'Checkbox of a task',
  comment: 'Comment in a body',
  text: 'Text',
  list: 'Tag',
  setting: 'Settings',
  version: 'Versions of notes',
  nothing: 'Left out',
}

type RowProps = Omit<ImportTableProps, 'rows'> & { row: ImportedRow; index: number }

function Row({ row, index, items, corrections, isOneFile }: RowProps) {
  const { place, text, becomes, item, remarks } = row
  const found = item !== null && (becomes === 'task' || becomes === 'note') ? items.get(item) : undefined
  return (
    <tr aria-rowindex={index + 2} data-becomes={becomes}>
      <td className="one-line soft small" title={isOneFile ? undefined : place.file}>
        <bdi>{shownPlace(place, isOneFile)}</bdi>
      </td>
      <td>
        <bdi className="import-text">{text}</bdi>
        {remarks.length > 0 && (
          <ul className="import-remarks soft small">
            {remarks.map((remark, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the remarks of a row do not change
              <li key={index} dir="auto">
                {remark}
              </li>
            ))}
          </ul>
        )}
      </td>
      <td className="import-becomes soft small">
        <span>{becoming[becomes]}</span>
        {found && 'title' in found && (
          <TaskFacts task={found} priority={corrections.priorities[found.priority]} />
        )}
        {found && <Tags tags={tagsOf(found, corrections)} />}
      </td>
    </tr>
  )
}

/** The end of a path says more than its folders, which files have in common. */
export function shownPlace({ file, ...place }: SourcePlace, isOneFile: boolean): string {
  if (!isOneFile) return nameOfPlace({ ...place, file: file.split('/').at(-1) ?? file })
  return place.row === undefined ? '' : `Row ${inDigits(place.row)}`
}

function TaskFacts({ task, priority }: { task: ImportedTask; priority: Priority }) {
  const { today, locale } = useDayContext()
  const { dueDate, dueTime, repeat, repeatFrom, doneAt, deletedAt } = task
  return (
    <>
      <PriorityBadge priority={priority} />
      {dueDate !== null && (
        <span>
          Due{' '}
          <time dateTime={dueDate} dir="auto">
            {formatDay(dueDate, today, locale)}
            {dueTime !== null && `, ${formatTime(dueTime, locale)}`}
          </time>
        </span>
      )}
      {repeat !== null && <span>{ruleText(repeat, repeatFrom, { today, locale })}</span>}
      {doneAt !== null && <span>Done</span>}
      {deletedAt !== null && <span>Deleted</span>}
    </>
  )
}

const Tags = ({ tags }: { tags: string[] }) =>
  tags.length > 0 && (
    <bdi className="import-tags">{tags.length > 5 ? `${tags.slice(0, 5).join(' ')} …` : tags.join(' ')}</bdi>
  )

type Filter = { label: string; shows: (row: ImportedRow) => boolean }
const isPart = /^(checkbox|comment|text|list)$/

export const rowFilters = {
  all: { label: 'All lines', shows: () => true },
  tasks: { label: 'Tasks', shows: ({ becomes }) => becomes === 'task' },
  notes: { label: 'Notes', shows: ({ becomes }) => becomes === 'note' },
  parts: { label: 'Parts of tasks and notes', shows: ({ becomes }) => isPart.test(becomes) },
  remarks: {
    label: 'Changed or left out in part',
    shows: ({ becomes, remarks }) => becomes !== 'nothing' && remarks.length > 0,
  },
  nothing: { label: 'Left out', shows: ({ becomes }) => becomes === 'nothing' },
} satisfies Record<string, Filter>
export type RowFilter = keyof typeof rowFilters

export const countsOf = (rows: readonly ImportedRow[]) =>
  Object.fromEntries(
    Object.entries(rowFilters).map(([name, { shows }]) => [name, rows.filter(shows).length]),
  ) as Record<RowFilter, number>

/** A row is folded once, when somebody searches. */
const folded = new WeakMap<ImportedRow, string>()

function foldedOf(row: ImportedRow): string {
  const known = folded.get(row) ?? fold([row.text, row.place.file, ...row.remarks].join('\n'))
  folded.set(row, known)
  return known
}

export function shownRows(rows: readonly ImportedRow[], filter: RowFilter, search: string): ImportedRow[] {
  const words = wordsOf(search)
  return rows.filter(
    (row) => rowFilters[filter].shows(row) && words.every((word) => foldedOf(row).includes(word)),
  )
}
