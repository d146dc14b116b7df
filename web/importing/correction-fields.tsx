import { type ReactNode, useMemo, useState } from 'react'
import { isBlank } from '#contract/blank.ts'
import { priorities } from '#contract/lists.ts'
import type { Priority } from '#contract/task-fields.ts'
import {
  type Columns,
  type Corrections,
  columnFields,
  columnLabels,
  type Imported,
} from '../engine/imported.ts'
import { useEngine } from '../state/use-engine.tsx'
import { capitalized } from '../tasks/form/task-form.tsx'
import { Check } from '../ui/check.tsx'
import { ChoiceField, Field } from '../ui/field.tsx'
import { inDigits } from './parsing/remarks.ts'
import { changeImport, readAgain, useImport } from './running-import.ts'
import { listsIn, tagOfList } from './sent-import.ts'

/** What the person can correct: columns, the order of day and month, priorities and the tags of lists. */
export function CorrectionFields({ imported }: { imported: Imported }) {
  const engine = useEngine()
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
          onChoose={(first) => readAgain(engine, { isDayFirst: first === 'day' })}
        />
      )}
      {settings !== null && (
        <Check
          checked={isSettingsTaken}
          onChange={(isSettingsTaken) => changeImport(engine, { isSettingsTaken })}
        >
          Use the settings of the file
        </Check>
      )}
      {table && (
        <Corrected name="Columns">
          {columnFields.map((field) => (
            <ChoiceField
              key={field}
              label={columnLabels[field]}
              value={String(table.columns[field] ?? '')}
              choices={columnsFor(field, table.names)}
              onChoose={(column) => readAgain(engine, { columns: withColumn(table.columns, field, column) })}
            />
          ))}
        </Corrected>
      )}
      {used.length > 0 && (
        <Corrected name="Priorities">
          {used.map((priority) => (
            <ChoiceField
              key={priority}
              label={`${capitalized(priority)} becomes`}
              value={corrections.priorities[priority]}
              choices={priorities.map((each) => [each, capitalized(each)])}
              onChoose={(chosen) => {
                const changed = { ...corrections.priorities, [priority]: chosen as Priority }
                changeImport(engine, { corrections: { ...corrections, priorities: changed } })
              }}
            />
          ))}
        </Corrected>
      )}
      {lists.length > 0 && (
        <Corrected name="Tags of projects and lists">
          {lists.slice(0, mostLists).map(([list, count]) => (
            <TagField key={list} {...{ list, count, corrections }} />
          ))}
          {lists.length > mostLists && (
            <p className="soft">
              {`These are the ${mostLists} longest of ${inDigits(lists.length)}. The names of the others become tags.`}
            </p>
          )}
        </Corrected>
      )}
    </div>
  )
}

/** As many lists are shown, the longest first. */
const mostLists = 200

function Corrected({ name, children }: { name: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="import-corrections" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{name}</summary>
      {isOpen && <div className="import-fields">{children}</div>}
    </details>
  )
}

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

/** What a list is called as a tag. An empty field makes none of it. */
function TagField({ list, count, corrections }: { list: string; count: number; corrections: Corrections }) {
  const engine = useEngine()
  const tag = tagOfList(corrections, list)
  const [typed, setTyped] = useState(corrections.tags.get(list) ?? tag ?? '')
  return (
    <Field
      label={`${list} (${inDigits(count)})`}
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
            changeImport(engine, {
              corrections: { ...corrections, tags: new Map(corrections.tags).set(list, value) },
            })
          }}
        />
      )}
    </Field>
  )
}
