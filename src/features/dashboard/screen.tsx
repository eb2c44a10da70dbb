import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '../../portal/queries.ts'
import { Attention } from './attention.tsx'
import { EnquiriesPicture } from './enquiries-picture.tsx'

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
        {me.role === 'admin' && <EnquiriesPicture />}
      </div>
    </>
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
