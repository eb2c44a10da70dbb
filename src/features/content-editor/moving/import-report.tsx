import { useState } from 'react'
import { saveFile } from '../../../platform/zip.ts'
import { Button } from '../../../ui/button.tsx'
import { formatShort } from '../../../ui/dates.ts'
import { LeaveWarning } from '../../../ui/form/leave-warning.tsx'
import {
  forgetReport,
  type KeptReport,
  type ReportLine,
  readLastReport,
  reportKinds,
  toCsv,
} from './report.ts'
import type { Import } from './use-import.ts'

/** How far an import is, and how it ended. */
export function ImportState({ run }: { run: Import }) {
  return (
    <>
      {run.isRunning && <Running run={run} />}
      {run.hasEnded && <Ended run={run} />}
      <LeaveWarning
        isDirty={run.isRunning}
        title="Stop the import?"
        question="What is imported so far stays. With the same file you can go on later."
        action="Stop and leave"
      />
    </>
  )
}

function Running({ run: { progress, stop, skipPictures } }: { run: Import }) {
  const { done, total, title, waiting } = progress
  return (
    <div className="callout content-editor-running">
      <p role="status">
        {done} of {total} documents{title && `: ${title}`}
      </p>
      <progress aria-label="Import" max={Math.max(total, 1)} value={done} />
      {waiting && (
        <p role="status">
          It waits until {new Date(waiting.until).toLocaleTimeString('en-AU')}: {waiting.reason}
        </p>
      )}
      <p className="line wrap">
        <Button onClick={stop}>Stop</Button>
        {waiting && (
          <Button kind="quiet" onClick={skipPictures}>
            Go on without further pictures
          </Button>
        )}
      </p>
    </div>
  )
}

/** That of the last import in this tab, for who comes back to it. */
export function LastReport() {
  const [last, setLast] = useState(readLastReport)
  if (!last) return null
  function close() {
    forgetReport()
    setLast(null)
  }
  return (
    <section className="content-editor-moving">
      <h2>The last import</h2>
      <p className="quiet">
        {formatShort(last.at)}. Its report stays in this tab until the next import, or until you sign out.{' '}
        <Button kind="link" onClick={close}>
          Close it
        </Button>
      </p>
      <Ended run={last} />
    </section>
  )
}

function Ended({ run: { lines, failure, isStopped, progress } }: { run: Omit<KeptReport, 'at'> }) {
  const { done, total } = progress
  const count = (kind: ReportLine['kind']) => lines.filter(line => line.kind === kind).length
  return (
    <section>
      <div className="callout" data-kind={failure ? 'error' : undefined} role={failure ? 'alert' : 'status'}>
        <p>
          <strong>
            {failure ? 'The import ended early' : isStopped ? 'The import was stopped' : 'The import is done'}
          </strong>{' '}
          {failure}
        </p>
        <p>
          {count('imported')} imported as drafts, {count('changed')} changed, {count('left out')} left out.
          {(failure || isStopped) && ` It came to ${done} of ${total}: choose the same files again to go on.`}{' '}
          Nothing is live: publish each document when you have read it.
        </p>
      </div>
      <Report lines={lines} />
    </section>
  )
}

/** Lines that are shown: all are in the file. */
const SHOWN_LINES = 200

/** What became of everything, to be read here or kept as a file. */
export function Report({ lines }: { lines: readonly ReportLine[] }) {
  const [shown, setShown] = useState<ReportLine['kind'] | null>(null)
  const chosen = shown === null ? lines : lines.filter(({ kind }) => kind === shown)
  const kinds = reportKinds.filter(kind => lines.some(line => line.kind === kind))
  if (lines.length === 0) return null
  return (
    <>
      <p className="line wrap content-editor-actions">
        {kinds.length > 1 &&
          [null, ...kinds].map(kind => (
            <Button
              key={kind}
              {...(kind !== shown && { kind: 'quiet' as const })}
              aria-pressed={kind === shown}
              onClick={() => setShown(kind)}
            >
              {kind === null ? 'All' : labels[kind]}
            </Button>
          ))}
        <Button onClick={() => saveFile('import-report.csv', new Blob([toCsv(lines)], { type: 'text/csv' }))}>
          Download the report (CSV)
        </Button>
      </p>
      <ul className="content-editor-report">
        {chosen.slice(0, SHOWN_LINES).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added
          <li key={at} className="small break">
            <span className="badge" data-kind={badges[line.kind]}>
              {labels[line.kind]}
            </span>{' '}
            {line.documentId ? (
              <a href={`/content/${line.documentId}`}>{line.document}</a>
            ) : (
              <b>{line.document}</b>
            )}{' '}
            <span dir="auto">{line.what}</span>
            {line.why && <span className="quiet">: {line.why}</span>}
          </li>
        ))}
      </ul>
      {chosen.length > SHOWN_LINES && (
        <p className="quiet">{chosen.length - SHOWN_LINES} more lines are in the report.</p>
      )}
    </>
  )
}

const labels: Readonly<Record<ReportLine['kind'], string>> = {
  imported: 'Imported',
  changed: 'Changed',
  'left out': 'Left out',
}
const badges: Readonly<Record<ReportLine['kind'], string>> = {
  imported: 'plain',
  changed: 'quiet',
  'left out': 'warning',
}
