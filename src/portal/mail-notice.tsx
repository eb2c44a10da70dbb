import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { dashboardQuery } from '../features/dashboard/queries.ts'
import { forgetHidden, hideNotice, isNoticeHidden } from './hidden-notice.ts'

/** Shown to those who can change the settings while emails are only saved to a folder on the server. */
export function MailNotice() {
  const { data } = useQuery(dashboardQuery)
  const cause = data && causeOf(data.attention)
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
        <strong>No mail provider is set up.</strong>{' '}
        <span className="portal-notice-more">
          Emails, including sign-in codes, stay in a folder on the server.{' '}
        </span>
        <a href="/settings?tab=email">Set it up</a>
      </p>
      <button type="button" className="button" aria-label="Hide for a day" onClick={() => hide(cause)}>
        <span className="portal-notice-more">Hide for a day</span> <span aria-hidden="true">✕</span>
      </button>
    </aside>
  )
}

/** Why the notice is shown. Another cause is another notice, which somebody may not have seen. */
function causeOf(attention: { readonly isMailKeptHere: boolean | null } | null): string | null {
  return attention?.isMailKeptHere ? 'mailbox' : null
}
