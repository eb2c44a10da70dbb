import { type ReactNode, useId } from 'react'

/** Ways into what people come for. Those of admins are shown to others with the reason why they are closed. */
export function QuickActions({ isAdmin }: { isAdmin: boolean }) {
  return (
    <section className="panel" aria-labelledby="actions">
      <h2 id="actions">Quick Actions</h2>
      <ul className="quick-actions">
        <QuickAction href="/">Visit Website</QuickAction>
        {isAdmin && <QuickAction href="/settings">Website Settings</QuickAction>}
        <QuickAction href={isAdmin ? '/messages?formType=contact' : null}>Contact Requests</QuickAction>
        <QuickAction href={isAdmin ? '/messages?formType=tracking' : null}>View Applications</QuickAction>
      </ul>
    </section>
  )
}

/** Without an address it is not open to this role. */
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
