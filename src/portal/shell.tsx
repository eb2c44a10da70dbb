import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, Suspense } from 'react'
import { Navigate, Outlet, useLocation, useNavigate, useNavigation, useRouteError } from 'react-router'
import { signIn } from '../features/sign-in/contract.ts'
import { findScreen, mayOpen } from '../screens.ts'
import { call } from '../ui/client.ts'
import { flashToast } from '../ui/flash-toast.ts'
import { Header } from '../ui/header.tsx'
import { forgetInput } from '../ui/input-backup.ts'
import { showFailure } from '../ui/toast.ts'
import { useWrite } from '../ui/use-write.ts'
import { MailNotice } from './mail-notice.tsx'
import { meQuery, signInUrl } from './me-query.ts'
import { ProfileDialog } from './profile-dialog.tsx'
import { queryClient } from './query-client.ts'
import { Rail } from './rail.tsx'
import { useLive } from './use-live.ts'

/** The frame of the portal: header, rail, notice that email is not set up, and the current screen. */
export function Shell() {
  const me = useQuery(meQuery).data ?? null
  const location = useLocation()
  const { pathname } = location
  const { state } = useNavigation()
  const screen = findScreen(pathname)
  useLive(me?.permissions.includes('inbox:read') ?? false)
  const isTakenAway = me && screen && !screen.showsAccessDenied && !mayOpen(screen, me.permissions)
  const navigate = useNavigate()
  const logout = useWrite({
    mutationFn: () => call(signIn.logout, {}),
    onSuccess() {
      queryClient.clear()
      forgetInput()
      flashToast({ title: 'Logout Successful', description: 'You have been logged out.' })
      window.location.assign('/')
      // Never resolves, because the browser is leaving this page.
      return new Promise(() => {})
    },
    onError: error => showFailure('Logout Failed', error, 'Logout failed'),
  })

  /** Follows links between screens without loading a new document. */
  function follow(event: MouseEvent) {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!link || !isPlain || link.target || link.origin !== window.location.origin) return
    if (!findScreen(link.pathname)) return
    event.preventDefault()
    navigate(link.pathname + link.search)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles clicks on the links inside it, which the keyboard can reach
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link turns Enter into a click
    <div
      className="portal"
      data-rail={me ? '' : undefined}
      onClickCapture={ignoreSecondClick}
      onClick={follow}
    >
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <Header
        siteName="Landfall"
        current={pathname}
        viewer={me}
        loginUrl={signInUrl(location)}
        onLogout={() => logout.mutate()}
      />
      {state === 'loading' && <div className="portal-progress" role="progressbar" aria-label="Loading" />}
      <div className="portal-body">
        {me && <Rail viewer={me} current={pathname} />}
        <div>
          {me && <MailNotice maySetUp={me.permissions.includes('settings')} />}
          <main id="main" className="portal-main">
            <Suspense fallback={<Loading />}>
              {isTakenAway ? <Navigate to="/dashboard" replace /> : <Outlet />}
            </Suspense>
          </main>
        </div>
      </div>
      {me && <ProfileDialog name={me.name} />}
    </div>
  )
}

/** Of a double click on what then goes, such as a toast, the second half is not for a link that was beneath it. */
function ignoreSecondClick(event: MouseEvent) {
  if (event.detail < 2 || !(event.target instanceof Element) || !event.target.closest('a')) return
  event.preventDefault()
  event.stopPropagation()
}

export function Loading() {
  return (
    <p className="shell-loading" role="status">
      <span className="spinner" /> Loading …
    </p>
  )
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'Something unexpected happened.'
  return error.cause instanceof Error ? `${error.message}. ${error.cause.message}` : error.message
}

/** Shown in place of a screen that failed to render or load. */
export function ScreenFailed() {
  const error = useRouteError()
  return (
    <section className="state" role="alert">
      <h1>This screen could not be shown</h1>
      <p>{describe(error)}</p>
      <button type="button" className="button button-primary" onClick={() => location.reload()}>
        Try again
      </button>
    </section>
  )
}
