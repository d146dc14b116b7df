import { createStore, useStore } from 'zustand'
import { apiBase } from '#contract/limits.ts'
import { problemFrom } from '../api/client.ts'
import { call } from '../api/page-client.ts'
import { mayPass } from '../engine/sync/retry-delay.ts'
import { pageSigns } from '../state/page-needs.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

export function ExportSection() {
  const { running, outcome, failure } = useExport()
  return (
    <section className="export" aria-labelledby="export-title">
      <h3 id="export-title">Export</h3>
      <p className="account-lead soft">
        A zip with all tasks, notes and their versions, what is deleted, the history and your settings. A
        README in it explains the files.
      </p>
      {running ? (
        <div className="export-progress row loose">
          <progress max="100" value={running.percent} aria-label="Export" />
          <span className="soft">{running.percent}%</span>
          <Button className="button rigid" onClick={cancelExport}>
            Cancel the export
          </Button>
        </div>
      ) : (
        <Button onClick={startExport}>Export all data</Button>
      )}
      {failure && <Notice>{failure}</Notice>}
      <p role="status" className="soft">
        {running ? 'Your browser is downloading the zip.' : outcome}
      </p>
    </section>
  )
}

export function ExportFirst() {
  const { running } = useExport()
  return running ? (
    'The export has not ended yet: deleting the account ends it.'
  ) : (
    <LinkButton onClick={startExport}>Export all data first</LinkButton>
  )
}

type ExportState = {
  /** The export that runs, with what was sent in percent. Its id is empty until the server has answered. */
  running?: { id: string; percent: number }
  outcome: string
  failure: string
}

const nothing: ExportState = { outcome: '', failure: '' }

/** It stays while the dialog is closed. */
const store = createStore<ExportState>()(() => nothing)

const useExport = () => useStore(store)

/** The progress is asked for after one second, two, four, and then every eight. */
const longestDelay = 3

async function startExport() {
  if (store.getState().running) return
  store.setState({ ...nothing, running: { id: '', percent: 0 } }, true)
  try {
    const { id, key } = (await call('POST /export')).data.export
    store.setState({ running: { id, percent: 0 } })
    // By an address and not by a call, so that the browser writes the file while it arrives.
    const link = document.createElement('a')
    link.href = `${apiBase}/export?${new URLSearchParams({ key })}`
    link.download = ''
    link.click()
    await follow(id)
  } catch (error) {
    console.error(error)
    store.setState({ ...nothing, failure: failureOf(error) }, true)
  }
}

async function cancelExport() {
  const { running } = store.getState()
  if (!running?.id) return
  try {
    await call('DELETE /export/:id', { params: { id: running.id } })
  } catch (error) {
    console.error(error)
    if (!isOver(error))
      return store.setState({ failure: `Not cancelled. ${problemFrom(error)?.message ?? ''}` })
  }
  store.setState({ ...nothing, outcome: 'The export was cancelled.' }, true)
}

async function follow(id: string) {
  const { signal } = new AbortController()
  for (let looks = 0; ; looks++) {
    await pageSigns.wait(Math.min(looks, longestDelay), signal)
    try {
      const { percent } = (await call('GET /export/:id', { params: { id } })).data.export
      if (store.getState().running?.id !== id) return
      if (percent === 100)
        return store.setState({ ...nothing, outcome: 'All of it was sent to your browser.' }, true)
      store.setState({ running: { id, percent }, failure: '' })
    } catch (error) {
      if (store.getState().running?.id !== id) return
      if (!mayPass(error)) throw error
    }
  }
}

const isOver = (error: unknown) => problemFrom(error)?.code === 'no-such-export'

const failureOf = (error: unknown) =>
  isOver(error)
    ? 'The export has ended before all of it was sent. Try again.'
    : `Not exported. ${problemFrom(error)?.message ?? ''}`
