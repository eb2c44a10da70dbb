import { useQuery } from '@tanstack/react-query'
import { AgesChart } from './ages-chart.tsx'
import { AnswersChart } from './answers-chart.tsx'
import { FirstReplyChart } from './first-reply-chart.tsx'
import { Overdue } from './overdue.tsx'
import { dashboardQuery, figuresQuery } from './queries.ts'

/** How the office answers. Loaded once the rest of the dashboard is there. */
export function Figures() {
  const { isPending: isFirst } = useQuery(dashboardQuery)
  const { data, error, isFetching, refetch } = useQuery({ ...figuresQuery, enabled: !isFirst })
  if (data)
    return (
      <>
        <Overdue {...data.overdue} target={data.target} />
        <div className="dashboard-charts">
          <FirstReplyChart weeks={data.weeks} target={data.target} />
          <AgesChart ages={data.ages} />
          <AnswersChart {...data.answers} />
        </div>
      </>
    )
  if (!error) return <div className="skeleton dashboard-charts-loading" role="status" aria-label="Loading" />
  return (
    <section className="panel" role="alert">
      <p>
        <strong>The figures could not be loaded.</strong> {error.message}
      </p>
      <button type="button" className="button" aria-disabled={isFetching} onClick={() => refetch()}>
        {isFetching ? 'Trying …' : 'Try again'}
      </button>
    </section>
  )
}
