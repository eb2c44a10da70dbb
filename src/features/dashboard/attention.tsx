import { ACCOUNT_EMAILS_COUNT_FOR, type Attention as Counts, MAX_COUNTED } from './contract.ts'

/** What needs attention beside the unread messages above it. Each figure links to the list of what it counts. */
export function Attention(counts: Counts) {
  const figures = figuresOf(counts).filter(({ count }) => count > 0)
  if (figures.length === 0) return null
  return (
    <section className="panel" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul className="dashboard-figures">
        {figures.map(({ count, words, href }) => (
          <li key={href}>
            <a href={href}>
              <strong>{count >= MAX_COUNTED ? '1,000+' : count}</strong> {words}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function figuresOf({ unverified, suspect, failedEmails, failedAccountEmails }: Counts) {
  return [
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
  ]
}
