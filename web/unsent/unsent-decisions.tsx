import { Fragment, useState } from 'react'
import { useStore } from 'zustand'
import { labelledNames } from '#contract/fields.ts'
import { taskFields } from '#contract/task-fields.ts'
import { type Entry, type Item, type ItemSet, titleOf } from '../engine/entry.ts'
import { mayBeStored } from '../engine/unsent-names.ts'
import { showLine } from '../engine/unsent-notes.ts'
import { restore as restoreVerb } from '../engine/verbs/complete.ts'
import { offered } from '../engine/verbs/verb.ts'
import { toDecide } from '../engine/waiting.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { useEngine, useJournal, useStored } from '../state/use-engine.tsx'
import { Choice } from '../tasks/card/choices-at-item.tsx'
import type { FieldName, FormValues } from '../tasks/form/form-values.ts'
import { choices, type KeptValue, labelOf, ValueOf } from '../tasks/form/task-clash.tsx'
import { Quoted } from '../tasks/sentence.tsx'
import './unsent-decisions.css'

type UnsentDecisionsProps = { hasDamaged: boolean; onDiscarded: () => void }

export function UnsentDecisions({ hasDamaged, onDiscarded }: UnsentDecisionsProps) {
  const entries = toDecide(useJournal((journal) => journal.entries()))
  // Each of them has its choices at its item.
  const atItems = useStore(useEngine().changes.onPage).map(({ mutation }) => mutation)
  const undecided = entries.filter(({ mutation }) => !atItems.includes(mutation))
  if (undecided.length === 0 && !hasDamaged) return
  return (
    <section aria-labelledby="decisions" className="decisions stack">
      <h2 id="decisions" tabIndex={-1}>
        Needs your decision
      </h2>
      {undecided.map((entry) => (
        <Decision key={entry.mutation} entry={entry} />
      ))}
      {hasDamaged && <Damaged onDiscarded={onDiscarded} />}
    </section>
  )
}

/** Another program or another build has stored values that cannot be shown. */
function Damaged({ onDiscarded }: { onDiscarded: () => void }) {
  const { unsent } = useEngine()
  const [keys] = useState(unsent.damaged)
  function discard() {
    for (const key of keys) unsent.drop(key)
    onDiscarded()
  }
  const isOne = keys.length === 1
  return (
    <div className="decision edged stack">
      <p role="alert">
        {isOne
          ? 'A change that this browser keeps is damaged, so it is not shown and not sent.'
          : `${keys.length} changes that this browser keeps are damaged, so they are not shown and not sent.`}
      </p>
      <p className="decision-choices wraps">
        <Choice
          label="Discard"
          title={isOne ? 'the damaged change' : 'the damaged changes'}
          onChoose={discard}
        />
      </p>
    </div>
  )
}

function Decision({ entry }: { entry: Entry }) {
  const stored = useStored((store) => store.stored(entry.item))
  const title = titleOf(useEngine().store, entry)
  const clashes = clashesOf(entry, stored)
  return clashes.length > 0 && stored ? (
    <Clash title={title} entry={entry} stored={stored} clashes={clashes} />
  ) : (
    <Rejection title={title} entry={entry} stored={stored} />
  )
}

const names = labelledNames(taskFields)
const setOf = (entry: Entry): ItemSet => ('set' in entry ? entry.set : {})
const valueIn = (values: object, name: FieldName) => (values as Partial<FormValues>)[name]
const isLong = (name: FieldName) => 'isLong' in taskFields[name]

/** Someone else has changed these fields too, differently, since the version that was changed here. */
function clashesOf(entry: Entry, stored: Item | undefined): FieldName[] {
  const { failure, was } = entry
  if (failure?.status !== 409 || !stored || !was) return []
  return names.filter((name) => {
    const theirs = valueIn(stored, name)
    return name in was && theirs !== valueIn(was, name) && theirs !== valueIn(setOf(entry), name)
  })
}

type ClashProps = { title: string; entry: Entry; stored: Item; clashes: FieldName[] }

/** Fields that do not clash are sent in any case. */
function Clash({ title, entry, stored, clashes }: ClashProps) {
  const { journal } = useEngine()

  function decide(kept: KeptValue) {
    const decided = Object.entries(setOf(entry)).flatMap(([field, value]) => {
      const name = field as FieldName
      if (!clashes.includes(name) || kept === 'mine') return [[name, value]]
      if (kept === 'theirs') return []
      return [[name, isLong(name) ? `${value}\n\n${valueIn(stored, name)}` : value]]
    })
    if (decided.length === 0) return journal.withdraw(entry)
    journal.retry(entry, { set: Object.fromEntries(decided), base: stored.version })
  }

  return (
    <div className="decision edged stack">
      <p role="alert">
        <Quoted>{title}</Quoted> was changed on this device and on another one.
      </p>
      <dl className="small">
        {clashes.map((name) => (
          <Fragment key={name}>
            <Value label={`This device (${labelOf(name)})`} name={name} values={setOf(entry)} />
            <Value label={`Other device (${labelOf(name)})`} name={name} values={stored} />
          </Fragment>
        ))}
      </dl>
      <p className="decision-choices wraps">
        {choices
          .filter(({ kept }) => kept !== 'both' || clashes.some(isLong))
          .map(({ kept, label }) => (
            <Choice key={kept} label={label} title={title} onChoose={() => decide(kept)} />
          ))}
      </p>
    </div>
  )
}

/** `title` is empty if the item is not known. */
function Rejection({ title, entry, stored }: { title: string; entry: Entry; stored: Item | undefined }) {
  const isDeleted = entry.failure?.status === 404 && 'set' in entry && typeof stored?.deletedAt === 'string'
  const engine = useEngine()
  const { journal } = engine
  const { make } = engine.changes
  const open = useDashboard((state) => state.open)
  const [isCopied, setCopied] = useState(false)
  const set = setOf(entry)
  const changed = names.filter((name) => valueIn(set, name) !== undefined)
  const quoted = <Quoted>{title}</Quoted>
  const texts = changed.filter((name) => taskFields[name].type === 'text')

  function copy() {
    const text = texts.map((name) => valueIn(set, name)).join('\n\n')
    navigator.clipboard.writeText(text).then(() => setCopied(true), console.error)
  }

  function restore() {
    journal.withdraw(entry)
    make([restoreVerb.make({ _id: entry.item })], { isKept: true })
  }

  function discard() {
    journal.withdraw(entry)
    showLine(engine, entry)
  }

  /** Continues in the dialog, where it is a draft until it is saved. */
  function edit() {
    const task = engine.store.task(entry.item)
    const base = task?.deletedAt === null ? task : undefined
    const key = engine.formDrafts.newKey(base ? base._id : 'add')
    const values = {
      ...(!base && { title }),
      ...Object.fromEntries(changed.map((name) => [name, valueIn(set, name)])),
    }
    if (
      !key ||
      !engine.formDrafts.keep(key, { values, ...(base && { base }), at: Date.now(), isWanted: true })
    )
      return
    discard()
    open(base ? { name: 'editTask', task: base } : { name: 'addTask' })
  }

  return (
    <div className="decision edged stack">
      <p role="alert">
        {isDeleted ? (
          <>{quoted} was deleted elsewhere, so your change to it was not saved.</>
        ) : (
          <>
            A change {title !== '' && <>of {quoted} </>}
            was not {'undo' in entry ? 'undone' : 'saved'}. {entry.failure?.reason}
          </>
        )}
      </p>
      {changed.length > 0 && (
        <dl className="small">
          {changed.map((name) => (
            <Value key={name} label={taskFields[name].label} name={name} values={set} />
          ))}
        </dl>
      )}
      <p className="decision-choices wraps">
        {isDeleted ? (
          <Choice label={restoreVerb.label} title={title} onChoose={restore} />
        ) : (
          mayBeStored(entry, stored) && (
            <Choice label="Try again" title={title} onChoose={() => journal.retry(entry)} />
          )
        )}
        {changed.length > 0 && !isDeleted && (
          <Choice label={offered.edit.label} title={title} onChoose={edit} />
        )}
        {texts.length > 0 && 'clipboard' in navigator && (
          <Choice label={isCopied ? 'Copied' : 'Copy'} title={title} onChoose={copy} stays />
        )}
        <Choice label="Discard" title={title} onChoose={discard} />
      </p>
    </div>
  )
}

const Value = ({ label, name, values }: { label: string; name: FieldName; values: object }) => (
  <>
    <dt className="soft">{label}</dt>
    <dd dir="auto">
      <ValueOf field={name} value={valueIn(values, name) ?? ''} />
    </dd>
  </>
)
