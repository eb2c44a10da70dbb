import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { LeaveWarning } from '../../ui/form/leave-warning.tsx'
import { sessionEndedNotice } from '../../ui/form/stored-input.ts'
import { meQuery, signInUrl, useMayCall } from '../../ui/me-query.ts'
import { portalName } from '../../ui/portal-name.ts'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { apiTokens, type NewApiToken } from './contract.ts'
import { Documentation } from './documentation.tsx'
import { ManageTokens, uncopied } from './manage-tokens.tsx'

const tabs = [
  { id: 'manage', label: 'Manage Tokens' },
  { id: 'documentation', label: 'API Documentation' },
] as const

/** Redirects nobody: a reader who may not manage tokens sees Access Denied here. */
export function Screen() {
  const { data: me = null } = useQuery(meQuery)
  const mayCall = useMayCall()
  const [params, setParams] = useSearchParams()
  const [created, setCreated] = useState<NewApiToken | null>(null)
  const [copied, setCopied] = useState<NewApiToken | null>(null)
  const isUncopied = created !== copied && created !== null
  const current = tabs.find(({ id }) => id === params.get('tab'))?.id ?? 'manage'
  if (!me || !mayCall(apiTokens.list)) return <AccessDenied isSignedIn={me !== null} />

  /** Keeps the selected user in the URL. */
  function choose(tab: (typeof tabs)[number]['id']) {
    const next = new URLSearchParams(params)
    if (tab === 'manage') next.delete('tab')
    else next.set('tab', tab)
    setParams(next)
  }

  return (
    <>
      <ScreenHead title="API Tokens" />
      <Tabs label="API tokens" tabs={tabs} current={current} onChoose={choose}>
        {current === 'manage' ? (
          <ManageTokens
            self={me}
            created={created}
            isUncopied={isUncopied}
            setCreated={setCreated}
            onCopied={() => setCopied(created)}
          />
        ) : (
          <Documentation />
        )}
      </Tabs>
      {isUncopied && <LeaveWarning {...uncopied} />}
    </>
  )
}

function AccessDenied({ isSignedIn }: { isSignedIn: boolean }) {
  const location = useLocation()
  const [notice] = useState(sessionEndedNotice)
  return (
    <section className="state api-tokens-denied">
      <title>{`Access Denied | ${portalName()}`}</title>
      <h1>Access Denied</h1>
      <p>You don't have permission to access this page.</p>
      {!isSignedIn && notice && <p role="status">{notice}</p>}
      {isSignedIn ? (
        <a className="button" href="/dashboard">
          Go to the dashboard
        </a>
      ) : (
        <a className="button button-primary" href={signInUrl(location)}>
          Login
        </a>
      )}
    </section>
  )
}
