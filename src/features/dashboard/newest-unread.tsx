import { useQuery } from '@tanstack/react-query'
import { messageTypeLabels } from '../../i18n/texts.ts'
import { formatShortTime, YOUR_TIME } from '../../ui/dates.ts'
import { MAX_COUNTED, type UnreadMessage } from './contract.ts'
import { dashboardQuery } from './queries.ts'

/** The messages to read next, each a link to it. */
export function NewestUnread() {
  const { data, error, isFetching, refetch } = useQuery(dashboardQuery)
  return (
    <section className="panel dashboard-newest" aria-labelledby="newest">
      <div className="dashboard-panel-head">
        <h2 id="newest">Newest unread</h2>
        {data?.attention && data.attention.unread > 0 && (
          <a href="/messages?isRead=false">All {describe(data.attention.unread)} unread</a>
        )}
      </div>
      {error && (
        <div role="alert">
          <p>
            <strong>The enquiries could not be loaded.</strong> {error.message}
          </p>
          <button type="button" className="button" aria-disabled={isFetching} onClick={() => refetch()}>
            {isFetching ? 'Trying …' : 'Try again'}
          </button>
        </div>
      )}
      {!error && !data?.newest && (
        <div className="skeleton dashboard-newest-loading" role="status" aria-label="Loading" />
      )}
      {data?.newest?.length === 0 && <p className="dashboard-caught-up">All caught up.</p>}
      {data?.newest && data.newest.length > 0 && (
        <ul>
          {data.newest.map(message => (
            <Unread key={message.id} {...message} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Unread({ id, name, formType, excerpt, createdAt }: UnreadMessage) {
  return (
    <li>
      <a className="dashboard-newest-link" href={`/messages?message=${id}`}>
        <span className="dashboard-newest-top">
          <span className="dashboard-newest-who">
            <bdi className="dashboard-newest-name">{name}</bdi>{' '}
            <span className="dashboard-newest-type">{messageTypeLabels[formType]}</span>
          </span>
          <time dateTime={createdAt} title={YOUR_TIME}>
            {formatShortTime(createdAt)}
          </time>
        </span>
        <span className="dashboard-newest-excerpt" dir="auto">
          {excerpt}
        </span>
      </a>
    </li>
  )
}

const describe = (count: number) => (count >= MAX_COUNTED ? '1,000+' : count)
