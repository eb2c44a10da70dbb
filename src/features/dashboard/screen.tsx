import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../portal/me-query.ts'
import { mayOpenPath, type ScreenPath } from '../../screens.ts'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { Attention } from './attention.tsx'
import { ContentTasks, hasTasks } from './content-tasks.tsx'
import { EnquiriesChart } from './enquiries-chart.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NewestUnread } from './newest-unread.tsx'
import { ProfileCard } from './profile-card.tsx'
import { dashboardQuery } from './queries.ts'
import { QuickActions } from './quick-actions.tsx'
import { UserManagement } from './user-management.tsx'

export function Screen() {
  const { data: me } = useQuery(meQuery)
  const { data } = useQuery(dashboardQuery)
  if (!me) return null
  const tasks = data?.content && hasTasks(data.content) ? data.content : null
  const may = (path: ScreenPath) => mayOpenPath(path, me.permissions)
  return (
    <>
      <ScreenHead title="Dashboard" />
      <div className="dashboard">
        {data?.firstSteps && <FirstSteps {...data.firstSteps} />}
        {(may('/messages') || tasks) && (
          <div className="dashboard-main">
            {may('/messages') && <NewestUnread />}
            {data?.attention && <Attention {...data.attention} />}
            {tasks && <ContentTasks tasks={tasks} />}
            {may('/messages') && <Figures />}
            {may('/messages') && <EnquiriesChart />}
          </div>
        )}
        <div className="dashboard-side">
          <ProfileCard me={me} />
          {may('/users') && <UserManagement />}
          <QuickActions mayChangeSettings={may('/settings')} mayReadMessages={may('/messages')} />
        </div>
      </div>
    </>
  )
}
