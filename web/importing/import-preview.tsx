import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { isBlank } from '#contract/blank.ts'
import type { Imported } from '../engine/imported.ts'
import { createLinkedItems } from '../notes/markdown/linked-items.ts'
import { useEngine } from '../state/use-engine.tsx'
import { Button } from '../ui/button.tsx'
import { ChoiceField, Field } from '../ui/field.tsx'
import { Notice, QuietNotice } from '../ui/notice.tsx'
import { chooseFiles } from './chosen-files.ts'
import { CorrectionFields } from './correction-fields.tsx'
import { countsOf, ImportTable, type RowFilter, rowFilters, shownRows } from './import-table.tsx'
import { inDigits } from './parsing/remarks.ts'
import { leaveImport, readFiles, startImport, useImport } from './running-import.ts'
import { lacking } from './sent-import.ts'

export function ImportPreview({ imported, onClose }: { imported: Imported; onClose: () => void }) {
  const { files, failure, reading, room, corrections } = useImport()
  const engine = useEngine()
  const { store } = engine
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
      <h3 ref={title} tabIndex={-1}>
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
        <Button onClick={() => chooseFiles(false, (chosen) => readFiles(engine, chosen))}>
          Choose other files
        </Button>
        <Button
          onClick={() => {
            onClose()
            leaveImport(engine)
          }}
        >
          Cancel
        </Button>
        {!isEmpty && (
          <Button
            className="button button-primary"
            aria-busy={reading !== undefined}
            onClick={() => reading || startImport(engine, createLinkedItems(store).idOfTitle)}
          >
            {`Import ${(tasks.length + notes.length).toLocaleString('en')}`}
          </Button>
        )}
      </footer>
    </>
  )
}

const isOneFile = ({ rows }: Imported) => rows.every(({ place }) => place.file === rows[0]?.place.file)

const Count = ({ name, value }: { name: string; value: number | string }) => (
  <div>
    <dt className="soft small">{name}</dt>
    <dd>{value.toLocaleString('en')}</dd>
  </div>
)

type RowsProps = Omit<Parameters<typeof ImportTable>[0], 'rows'> & {
  imported: Imported
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
          choices={filters.map((name) => [name, `${rowFilters[name].label} (${inDigits(counts[name])})`])}
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
