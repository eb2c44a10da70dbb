import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../portal/queries.ts'
import { Attention } from './attention.tsx'
import { EnquiriesPicture } from './enquiries-picture.tsx'
import { ProfileCard } from './profile-card.tsx'
import { QuickActions } from './quick-actions.tsx'
import { UserManagement } from './user-management.tsx'

export function Screen() {
  const { data: me } = useQuery(meQuery)
  if (!me) return null
  return (
    <>
      <title>Dashboard | Landfall</title>
      <h1>Dashboard</h1>
      <div className="dashboard">
        <ProfileCard me={me} />
        {me.role === 'admin' && <UserManagement />}
        <QuickActions isAdmin={me.role === 'admin'} />
        {me.role === 'admin' && <Attention />}
        {me.role === 'admin' && <EnquiriesPicture />}
      </div>
    </>
  )
}
