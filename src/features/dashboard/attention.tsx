import { useQuery } from '@tanstack/react-query'
import { MOST_COUNTED } from './contract.ts'
import { dashboardQuery } from './queries.ts'
import './dashboard.css'

/** What waits for an admin; each figure leads to the messages that it counts. */
export function Attention() {
  const { data, isError } = useQuery(dashboardQuery)
  return (
    <section className="panel" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {isError && <p role="alert">The figures could not be read.</p>}
      {!isError && !data?.attention && <div className="skeleton" role="status" aria-label="Loading" />}
      {data?.attention && <Figures {...data.attention} />}
    </section>
  )
}

interface FiguresProps {
  readonly unread: number
  readonly unverified: number
  readonly suspect: number
  readonly failedLetters: number
}

function Figures({ unread, unverified, suspect, failedLetters }: FiguresProps) {
  const figures = [
    { count: unread, words: 'unread', filter: 'isRead=false' },
    {
      count: failedLetters,
      words: failedLetters === 1 ? 'letter that could not be sent' : 'letters that could not be sent',
      filter: 'letter=failed',
    },
    {
      count: unverified,
      words: 'unread, sender not verified',
      filter: 'verification=unverified&isRead=false',
    },
    { count: suspect, words: 'unread, may be from a machine', filter: 'verification=suspect&isRead=false' },
  ].filter(({ count }) => count > 0)
  if (figures.length === 0) return <p>Nothing. Every message is read, and every letter is on its way.</p>
  return (
    <ul className="figures">
      {figures.map(({ count, words, filter }) => (
        <li key={filter}>
          <a href={`/messages?${filter}`}>
            <strong>{count >= MOST_COUNTED ? '1,000+' : count}</strong> {words}
          </a>
        </li>
      ))}
    </ul>
  )
}
