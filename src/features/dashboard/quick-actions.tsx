import { type ReactNode, useId } from 'react'

/** Links to frequent tasks. Tasks for admins only are disabled for others, with the reason. */
export function QuickActions({ isAdmin }: { isAdmin: boolean }) {
  return (
    <section className="panel" aria-labelledby="actions">
      <h2 id="actions">Quick Actions</h2>
      <ul className="dashboard-actions">
        <QuickAction href="/">Visit Website</QuickAction>
        {isAdmin && <QuickAction href="/settings">Website Settings</QuickAction>}
        <QuickAction href={isAdmin ? '/messages?formType=contact' : null}>Contact Requests</QuickAction>
        <QuickAction href={isAdmin ? '/messages?formType=tracking' : null}>View Applications</QuickAction>
      </ul>
    </section>
  )
}

/** Disabled when `href` is null: this role may not open the page. */
function QuickAction({ href, children }: { href: string | null; children: ReactNode }) {
  const id = useId()
  return (
    <li>
      {href ? (
        <a className="button" href={href}>
          {children}
        </a>
      ) : (
        <>
          <button type="button" className="button" aria-disabled="true" aria-describedby={id}>
            {children}
          </button>
          <p className="field-hint" id={id}>
            Only admins can open this.
          </p>
        </>
      )}
    </li>
  )
}
