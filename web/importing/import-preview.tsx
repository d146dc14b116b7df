import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { isBlank } from '#contract/blank.ts'
import { priorities } from '#contract/lists.ts'
import type { Priority } from '#contract/task-fields.ts'
import { createLinkedItems } from '../notes/markdown/linked-items.ts'
import { useEngine } from '../state/use-engine.tsx'
import { capitalized } from '../tasks/form/task-form.tsx'
import { Button } from '../ui/button.tsx'
import { Check } from '../ui/check.tsx'
import { ChoiceField, Field } from '../ui/field.tsx'
import { Notice, QuietNotice } from '../ui/notice.tsx'
import { chooseFiles } from './chosen-files.ts'
import { type Corrections, listsIn, tagOfList } from './corrections.ts'
import { lacking } from './import-room.ts'
import { ImportTable } from './import-table.tsx'
import type { ShownImport } from './import-worker.ts'
import { inDigits } from './parsing/import-codes.ts'
import { type Columns, columnFields } from './parsing/imported.ts'
import {
  correct,
  leaveImport,
  readAgain,
  readFiles,
  startImport,
  takeSettings,
  useImport,
} from './running-import.ts'
import { countsOf, type RowFilter, rowFilters, shownRows } from './shown-rows.ts'

/** Shows what becomes of each line, and takes corrections. */
export function ImportPreview({ imported, onClose }: { imported: ShownImport; onClose: () => void }) {
  const { files, failure, isReading, room, corrections } = useImport()
  const { store } = useEngine()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const { tasks, notes, rows } = imported
  const counts = useMemo(() => countsOf(rows), [rows])
  const items = useMemo(() => new Map([...tasks, ...notes].map((item) => [item._id, item])), [tasks, notes])
  const missing = useMemo(() => room && lacking(imported, room, store), [imported, room, store])
  const isEmpty = tasks.length + notes.length === 0
  const [only] = files.length === 1 ? files : []
  return (
    <>
      <h3 ref={title} tabIndex={-1} className="import-title">
        {only ? <bdi>{only.path}</bdi> : `${files.length} files`}
      </h3>
      <dl className="import-counts wraps">
        <Count name="Read as" value={imported.label} />
        <Count name="Tasks" value={tasks.length} />
        <Count name="Notes" value={notes.length} />
        <Count name="Left out" value={counts.nothing} />
      </dl>
      {isEmpty && <QuietNotice>There is nothing to add in it.</QuietNotice>}
      {missing?.map((sentence) => (
        <Notice key={sentence}>{sentence}</Notice>
      ))}
      {failure && <Notice>{failure}</Notice>}
      <CorrectionFields key={files[0]?.path} imported={imported} />
      <Rows {...{ imported, counts, items, corrections }} isOneFile={isOneFile(imported)} />
      <footer className="dialog-footer wraps import-footer">
        <Button onClick={() => chooseFiles(false, readFiles)}>Choose other files</Button>
        <Button
          onClick={() => {
            onClose()
            leaveImport()
          }}
        >
          Cancel
        </Button>
        {!isEmpty && (
          <Button
            className="button button-primary"
            aria-busy={isReading}
            onClick={() => isReading || startImport(createLinkedItems(store).idOfTitle)}
          >
            {`Import ${(tasks.length + notes.length).toLocaleString('en')}`}
          </Button>
        )}
      </footer>
    </>
  )
}

const isOneFile = ({ rows }: ShownImport) => rows.every(({ place }) => place.file === rows[0]?.place.file)

const Count = ({ name, value }: { name: string; value: number | string }) => (
  <div>
    <dt className="soft small">{name}</dt>
    <dd>{value.toLocaleString('en')}</dd>
  </div>
)

type RowsProps = Omit<Parameters<typeof ImportTable>[0], 'rows'> & {
  imported: ShownImport
  counts: Record<RowFilter, number>
}

function Rows({ imported: { rows }, counts, ...shared }: RowsProps) {
  const [filter, setFilter] = useState<RowFilter>('all')
  const [search, setSearch] = useState('')
  const searched = useDeferredValue(search)
  const shown = useMemo(() => shownRows(rows, filter, searched), [rows, filter, searched])
  const filters = (Object.keys(rowFilters) as RowFilter[]).filter(
    (name) => name === 'all' || counts[name] > 0,
  )
  return (
    <section className="import-rows stack loose" aria-label="Lines">
      <div className="field-pair">
        <ChoiceField
          label="Show"
          value={filter}
          choices={filters.map((name) => [name, `${rowFilters[name]} (${inDigits(counts[name])})`])}
          onChoose={(name) => setFilter(name as RowFilter)}
        />
        <Field label="Lines with these words">
          {(control) => (
            <input
              {...control}
              type="search"
              value={search}
              autoComplete="off"
              spellCheck={false}
              dir="auto"
              onChange={({ target }) => setSearch(target.value)}
            />
          )}
        </Field>
      </div>
      <p role="status" className={shown.length === 0 ? 'soft' : 'visually-hidden'}>
        {isBlank(searched) || shown.length > 0
          ? `${shown.length.toLocaleString('en')} lines are shown.`
          : 'No line has these words.'}
      </p>
      {shown.length > 0 && <ImportTable key={`${filter} ${searched}`} rows={shown} {...shared} />}
    </section>
  )
}

const fieldNames: Record<(typeof columnFields)[number], string> = {
  id: 'Id',
  title: 'Title',
  body: 'Body',
  dueDate: 'Due Date',
  dueTime: 'Time',
  priority: 'Priority',
  tags: 'Tags',
  list: 'Project or list',
  repeat: 'Repeat',
  createdAt: 'Created',
  doneAt: 'Done',
}

/** What the person can correct: columns, the order of day and month, priorities and the tags of lists. */
function CorrectionFields({ imported }: { imported: ShownImport }) {
  const { choices, corrections, isSettingsTaken } = useImport()
  const { tasks, table, hasUnclearDays, settings } = imported
  const used = priorities.filter((priority) => tasks.some((task) => task.priority === priority))
  const lists = useMemo(() => listsIn(imported), [imported])
  const [hadUnclearDays] = useState(hasUnclearDays)
  const isUnclear = hasUnclearDays || hadUnclearDays || choices.isDayFirst !== undefined
  return (
    <div className="import-choices wraps">
      {isUnclear && (
        <ChoiceField
          label="Days such as 3/4/2026"
          value={(choices.isDayFirst ?? imported.isDayFirst) ? 'day' : 'month'}
          choices={[
            ['day', 'The day comes first: 3 April'],
            ['month', 'The month comes first: March 4'],
          ]}
          onChoose={(first) => readAgain({ isDayFirst: first === 'day' })}
        />
      )}
      {settings !== null && (
        <Check checked={isSettingsTaken} onChange={takeSettings}>
          Use the settings of the file
        </Check>
      )}
      {table && (
        <details className="import-corrections">
          <summary>Columns</summary>
          <div className="import-fields">
            {columnFields.map((field) => (
              <ChoiceField
                key={field}
                label={fieldNames[field]}
                value={String(table.columns[field] ?? '')}
                choices={columnsFor(field, table.names)}
                onChoose={(column) => readAgain({ columns: withColumn(table.columns, field, column) })}
              />
            ))}
          </div>
        </details>
      )}
      {used.length > 0 && (
        <details className="import-corrections">
          <summary>Priorities</summary>
          <div className="import-fields">
            {used.map((priority) => (
              <ChoiceField
                key={priority}
                label={`${capitalized(priority)} becomes`}
                value={corrections.priorities[priority]}
                choices={priorities.map((each) => [each, capitalized(each)])}
                onChoose={(chosen) =>
                  correct({
                    ...corrections,
                    priorities: { ...corrections.priorities, [priority]: chosen as Priority },
                  })
                }
              />
            ))}
          </div>
        </details>
      )}
      {lists.length > 0 && <TagFields lists={lists} corrections={corrections} />}
    </div>
  )
}

/** The columns with another one for a field. An empty text is none. */
function withColumn(columns: Columns, field: keyof Columns, column: string): Columns {
  const { [field]: _, ...others } = columns
  return column === '' ? others : { ...others, [field]: Number(column) }
}

/** What can be chosen for a field: the columns, and none for another field than the title. */
const columnsFor = (field: keyof Columns, names: string[]): [string, string][] => [
  ...(field === 'title' ? [] : [['', 'No column'] as [string, string]]),
  ...names.map((name, index): [string, string] => [
    String(index),
    isBlank(name) ? `Column ${index + 1}` : name,
  ]),
]

/** As many lists are shown, the longest first. */
const mostLists = 200

function TagFields({ lists, corrections }: { lists: [string, number][]; corrections: Corrections }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="import-corrections" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Tags of projects and lists</summary>
      {isOpen && (
        <>
          <div className="import-fields">
            {lists.slice(0, mostLists).map(([list, count]) => (
              <TagField key={list} {...{ list, count, corrections }} />
            ))}
          </div>
          {lists.length > mostLists && (
            <p className="soft">
              {`These are the ${mostLists} longest of ${lists.length.toLocaleString('en')}. The names of the others become tags.`}
            </p>
          )}
        </>
      )}
    </details>
  )
}

/** What a list is called as a tag. An empty field makes none of it. */
function TagField({ list, count, corrections }: { list: string; count: number; corrections: Corrections }) {
  const tag = tagOfList(corrections, list)
  const [typed, setTyped] = useState(corrections.tags.get(list) ?? tag ?? '')
  return (
    <Field
      label={`${list} (${count.toLocaleString('en')})`}
      help={
        isBlank(typed)
          ? 'It becomes no tag.'
          : tag === undefined
            ? 'A tag needs a letter or a digit.'
            : tag === typed
              ? undefined
              : `The tag is ${tag}.`
      }
    >
      {(control) => (
        <input
          {...control}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          onChange={({ target: { value } }) => {
            setTyped(value)
            correct({ ...corrections, tags: new Map(corrections.tags).set(list, value) })
          }}
        />
      )}
    </Field>
  )
}
