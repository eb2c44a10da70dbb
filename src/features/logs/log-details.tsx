import { formatPreciseTime } from '../../ui/dates.ts'
import { Detail } from '../../ui/detail.tsx'
import { showToast } from '../../ui/toast.ts'
import { roleLabels } from '../users/contract.ts'
import type { LogEntry } from './contract.ts'
import { Level } from './log-table.tsx'
import { Person } from './person.tsx'

/** Everything that is known about one entry. */
export function LogDetails({ entry }: { entry: LogEntry }) {
  const json = JSON.stringify(entry.details, null, 2)
  return (
    <>
      <dl className="details">
        <Detail label="Level">
          <Level level={entry.level} />
        </Detail>
        <Detail label="Source">{entry.source}</Detail>
        <Detail label="Date">{formatPreciseTime(entry.createdAt)}</Detail>
        {entry.userId && (
          <Detail label="Person">
            <PersonDetails entry={entry} userId={entry.userId} />
          </Detail>
        )}
        <Detail label="Message">{entry.message}</Detail>
        {entry.ipAddress && <Detail label="IP Address">{entry.ipAddress}</Detail>}
        {entry.userId && <Detail label="User ID">{entry.userId}</Detail>}
        {entry.userAgent && <Detail label="User Agent">{entry.userAgent}</Detail>}
      </dl>
      <div className="logs-details-head">
        <h3>Details</h3>
        <CopyButton text={json} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="logs-details" aria-label="Details" tabIndex={0}>
        <pre>{json}</pre>
      </section>
    </>
  )
}

function PersonDetails({ entry, userId }: { entry: LogEntry; userId: string }) {
  return (
    <>
      <Person entry={entry} />
      {entry.user && `, ${roleLabels[entry.user.role]}`}
      {entry.user && <span className="logs-email">{entry.user.email}</span>}
      <a className="logs-only" href={`/logs?userId=${encodeURIComponent(userId)}`}>
        Only what this person did
      </a>
    </>
  )
}

/** Browsers give access to the clipboard on https and on this machine only. */
function CopyButton({ text }: { text: string }) {
  if (!navigator.clipboard) return null
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      showToast({ title: 'Details copied' })
    } catch {
      showToast({ title: 'Your browser did not allow copying', kind: 'error' })
    }
  }
  return (
    <button type="button" className="button button-quiet" onClick={copy}>
      Copy
    </button>
  )
}
