import { type ReactNode, useId } from 'react'

interface QuickActionsProps {
  readonly mayChangeSettings: boolean
  readonly mayReadMessages: boolean
}

/** Links to frequent tasks. Those about messages are disabled, with the reason, for staff who may not read them. */
export function QuickActions({ mayChangeSettings, mayReadMessages }: QuickActionsProps) {
  return (
    <section className="panel dashboard-quick" aria-labelledby="actions">
      <h2 id="actions">Quick Actions</h2>
      <ul className="dashboard-actions">
        <QuickAction href="/">Visit Website</QuickAction>
        {mayChangeSettings && <QuickAction href="/settings">Website Settings</QuickAction>}
        <QuickAction href={mayReadMessages ? '/messages?formType=contact' : null}>
          Contact Requests
        </QuickAction>
        <QuickAction href={mayReadMessages ? '/messages?formType=tracking' : null}>
          View Applications
        </QuickAction>
      </ul>
    </section>
  )
}

/** Disabled when `href` is null: this user may not open the page. */
function QuickAction({ href, children }: { href: string | null; children: ReactNode }) {
  const id = useId()
  return (
    <li>
      {href ? (
        <a className="dashboard-action" href={href}>
          {children}
        </a>
      ) : (
        <>
          <button type="button" className="dashboard-action" aria-disabled="true" aria-describedby={id}>
            {children}
          </button>
          <p className="field-hint" id={id}>
            You have no access to messages. An admin can grant it.
          </p>
        </>
      )}
    </li>
  )
}
