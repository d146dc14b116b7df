import { Notice } from '../ui/notice.tsx'
import { cancelExport, startExport, useExport } from './running-export.ts'
import './export-section.css'

/** Downloads all data of the account. */
export function ExportSection() {
  const { running, outcome, failure } = useExport()
  return (
    <section className="export" aria-labelledby="export-title">
      <h3 id="export-title">Export</h3>
      <p className="account-lead">
        A zip with all tasks, notes and their versions, what is deleted, the history and your settings. A
        README in it explains the files.
      </p>
      {running ? (
        <div className="export-progress">
          <progress max="100" value={running.percent} aria-label="Export" />
          <span>{running.percent}%</span>
          <button type="button" className="button" onClick={cancelExport}>
            Cancel the export
          </button>
        </div>
      ) : (
        <button type="button" className="button" onClick={startExport}>
          Export all data
        </button>
      )}
      {failure && <Notice>{failure}</Notice>}
      <p role="status">{running ? 'Your browser is downloading the zip.' : outcome}</p>
    </section>
  )
}

/** Offers the export before everything is deleted. */
export function ExportFirst() {
  const { running } = useExport()
  return running ? (
    'The export has not ended yet: deleting the account ends it.'
  ) : (
    <button type="button" className="link-button" onClick={startExport}>
      Export all data first
    </button>
  )
}
