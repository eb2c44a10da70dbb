import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../portal/queries.ts'
import { call } from '../../ui/client.ts'
import { dashboard } from './contract.ts'
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
      </div>
    </>
  )
}

/** What waits for an admin. */
function Attention() {
  const { data } = useQuery({ queryKey: ['dashboard'], queryFn: () => call(dashboard.read, {}) })
  const { unread = 0, failedLetters = 0 } = data?.attention ?? {}
  return (
    <section className="panel" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul className="figures">
        <li>
          <a href="/messages?isRead=false">
            <strong>{unread === 1000 ? '1,000 or more' : unread}</strong> unread
          </a>
        </li>
        <li>
          <strong>{failedLetters}</strong> letters that could not be sent
        </li>
      </ul>
    </section>
  )
}
