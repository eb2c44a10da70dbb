import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../portal/me-query.ts'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { Attention } from './attention.tsx'
import { EnquiriesChart } from './enquiries-chart.tsx'
import { ProfileCard } from './profile-card.tsx'
import { QuickActions } from './quick-actions.tsx'
import { UserManagement } from './user-management.tsx'

export function Screen() {
  const { data: me } = useQuery(meQuery)
  if (!me) return null
  const isAdmin = me.role === 'admin'
  return (
    <>
      <ScreenHead title="Dashboard" />
      <div className="dashboard">
        {isAdmin && (
          <div className="dashboard-main">
            <Attention />
            <EnquiriesChart />
          </div>
        )}
        <div className="dashboard-side">
          <ProfileCard me={me} />
          {isAdmin && <UserManagement />}
          <QuickActions isAdmin={isAdmin} />
        </div>
      </div>
    </>
  )
}
