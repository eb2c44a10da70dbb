import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { dashboardQuery } from '../features/dashboard/queries.ts'
import type { MailStatus } from '../features/settings/contract.ts'
import { mailStatusQuery } from '../features/settings/mail-status-query.ts'
import { formatShort } from '../ui/dates.ts'
import { forgetHidden, hideNotice, isNoticeHidden } from './hidden-notice.ts'

const SETTINGS = '/settings?tab=email'

/** A line above every screen while emails fail, for everybody; for admins also while they only stay on the server. */
export function MailNotice({ maySetUp }: { readonly maySetUp: boolean }) {
  const { data, refetch } = useQuery(mailStatusQuery)
  const { pathname } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read again with each screen
  useEffect(() => void refetch(), [refetch, pathname])

  if (data && data.state !== 'working') return <FailureLine status={data} maySetUp={maySetUp} />
  return maySetUp && data ? <KeptHereNotice isWaiting={data.isWaiting ?? false} /> : null
}

/** It cannot be hidden: without emails, nobody signs in without the console. */
function FailureLine({ status, maySetUp }: { readonly status: MailStatus; readonly maySetUp: boolean }) {
  const { state, since, reason, admins } = status
  return (
    <aside className="portal-notice" data-kind="error" aria-label="Email delivery" role="alert">
      <p>
        <strong>
          {state === 'failing' && since
            ? `Emails have been failing since ${formatShort(since)}.`
            : 'No email has come through the new mail provider yet.'}
        </strong>{' '}
        {reason && <span className="portal-notice-more">{reason}. </span>}
        Sign-in codes are printed on the console of the server.{' '}
        {maySetUp ? <a href={SETTINGS}>See the mail settings</a> : whomToAsk(admins)}
      </p>
    </aside>
  )
}

function whomToAsk(admins: readonly string[]): string {
  const names = new Intl.ListFormat('en-AU', { type: 'disjunction' }).format(admins)
  return names === '' ? 'Ask an admin.' : `Ask ${names}.`
}

function KeptHereNotice({ isWaiting }: { readonly isWaiting: boolean }) {
  const { data } = useQuery(dashboardQuery)
  const cause = data && causeOf(data.attention, isWaiting)
  const [hidden, setHidden] = useState<string | null>(null)

  useEffect(() => {
    // What is solved and comes back is shown at once.
    if (cause === null) forgetHidden()
  }, [cause])

  if (!cause || hidden === cause || isNoticeHidden(cause, Date.now())) return null
  function hide(shown: string) {
    hideNotice(shown, Date.now())
    setHidden(shown)
  }
  return (
    <aside className="portal-notice" aria-label="Email delivery">
      <p>
        <strong>{isWaiting ? 'The mail provider waits for its test.' : 'No mail provider is set up.'}</strong>{' '}
        <span className="portal-notice-more">
          Emails, including sign-in codes, stay in a folder on the server.{' '}
        </span>
        <a href={SETTINGS}>{isWaiting ? 'Type its six digits' : 'Set it up'}</a>
      </p>
      <button type="button" className="button" aria-label="Hide for a day" onClick={() => hide(cause)}>
        <span className="portal-notice-more">Hide for a day</span> <span aria-hidden="true">✕</span>
      </button>
    </aside>
  )
}

/** Why the notice is shown. Another cause is another notice, which somebody may not have seen. */
function causeOf(
  attention: { readonly isMailKeptHere: boolean | null } | null,
  isWaiting: boolean,
): string | null {
  if (!attention?.isMailKeptHere) return null
  return isWaiting ? 'waiting' : 'mailbox'
}
