import { useQuery } from '@tanstack/react-query'
import { ACCOUNT_EMAILS_COUNT_FOR, type Attention as Counts, MAX_COUNTED } from './contract.ts'
import { dashboardQuery } from './queries.ts'

/** What needs attention. Each figure links to the list of what it counts. */
export function Attention() {
  const { data, error, isFetching, refetch } = useQuery(dashboardQuery)
  return (
    <section className="panel" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {error && (
        <div role="alert">
          <p>
            <strong>The figures could not be loaded.</strong> {error.message}
          </p>
          <button type="button" className="button" aria-disabled={isFetching} onClick={() => refetch()}>
            {isFetching ? 'Trying …' : 'Try again'}
          </button>
        </div>
      )}
      {!error && !data?.attention && (
        <div className="skeleton figures-loading" role="status" aria-label="Loading" />
      )}
      {data?.attention && <Figures {...data.attention} />}
    </section>
  )
}

function Figures({ unread, unverified, suspect, failedEmails, failedAccountEmails }: Counts) {
  const figures = [
    { count: unread, words: 'unread', href: '/messages?isRead=false' },
    {
      count: failedEmails,
      words: failedEmails === 1 ? 'email that could not be sent' : 'emails that could not be sent',
      href: '/messages?letter=failed',
    },
    {
      count: unverified,
      words: 'unread, sender not verified',
      href: '/messages?verification=unverified&isRead=false',
    },
    {
      count: suspect,
      words: 'unread, may be from a bot',
      href: '/messages?verification=suspect&isRead=false',
    },
    {
      count: failedAccountEmails ?? 0,
      words: `account ${failedAccountEmails === 1 ? 'email' : 'emails'} not sent in the last ${ACCOUNT_EMAILS_COUNT_FOR} days`,
      href: '/logs?level=error&source=EmailService',
    },
  ].filter(({ count }) => count > 0)
  if (figures.length === 0) return <p>All caught up.</p>
  return (
    <ul className="figures">
      {figures.map(({ count, words, href }) => (
        <li key={href}>
          <a href={href}>
            <strong>{count >= MAX_COUNTED ? '1,000+' : count}</strong> {words}
          </a>
        </li>
      ))}
    </ul>
  )
}
