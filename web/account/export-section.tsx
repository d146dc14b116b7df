import { Button, LinkButton } from '../ui/button.tsx'
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
          <Button onClick={cancelExport}>Cancel the export</Button>
        </div>
      ) : (
        <Button onClick={startExport}>Export all data</Button>
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
    <LinkButton onClick={startExport}>Export all data first</LinkButton>
  )
}
