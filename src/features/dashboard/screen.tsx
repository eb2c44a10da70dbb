import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '../../portal/queries.ts'
import { call } from '../../ui/client.ts'
import { dashboard } from './contract.ts'

const roleLabels = { admin: 'Admin', editor: 'Editor', viewer: 'Viewer' }

export function Screen() {
  const { data: me } = useQuery(meQuery)
  if (!me) return null
  return (
    <>
      <title>Dashboard | Landfall</title>
      <h1>Dashboard</h1>
      <div className="dashboard">
        <section className="panel" aria-labelledby="profile">
          <h2 id="profile">Profile</h2>
          <p className="profile-name">{me.name}</p>
          <p>{roleLabels[me.role]}</p>
        </section>
        {me.role === 'admin' && <Attention />}
        <section className="panel" aria-labelledby="actions">
          <h2 id="actions">Quick Actions</h2>
          <ul className="quick-actions">
            <QuickAction href="/">Visit Website</QuickAction>
            <QuickAction href={me.role === 'admin' ? '/messages?formType=contact' : null}>
              Contact Requests
            </QuickAction>
            <QuickAction href={me.role === 'admin' ? '/messages?formType=tracking' : null}>
              View Applications
            </QuickAction>
          </ul>
        </section>
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

/** A way into another screen; without an address it is shown as not open to this role. */
function QuickAction({ href, children }: { href: string | null; children: ReactNode }) {
  return (
    <li>
      {href ? (
        <a className="button" href={href}>
          {children}
        </a>
      ) : (
        <span className="button" aria-disabled="true" title="Only admins can open this">
          {children} <small>(admins only)</small>
        </span>
      )}
    </li>
  )
}
