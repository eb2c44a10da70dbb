import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, Suspense, useEffect, useState } from 'react'
import {
  Navigate,
  Outlet,
  useLocation,
  useNavigate,
  useNavigation,
  useRouteError,
  useSearchParams,
} from 'react-router'
import { dashboard } from '../features/dashboard/contract.ts'
import { type MailStatus, settings } from '../features/settings/contract.ts'
import { signIn } from '../features/sign-in/contract.ts'
import { days, seconds } from '../platform/clock.ts'
import { findScreen, mayOpen } from '../screens.ts'
import { Button } from '../ui/button.tsx'
import { call } from '../ui/client.ts'
import { formatShort } from '../ui/dates.ts'
import { forgetInput } from '../ui/form/input-backup.ts'
import { useWrite } from '../ui/form/use-write.ts'
import { Header } from '../ui/header/header.tsx'
import { lazily } from '../ui/lazy-part.ts'
import { meQuery, signInUrl } from '../ui/me-query.ts'
import { portalName } from '../ui/portal-name.ts'
import { flashToast } from '../ui/toast/flash-toast.ts'
import { showFailure } from '../ui/toast/toast.ts'
import { useCall } from '../ui/use-call.ts'
import { queryClient, whileLoggingOut } from './query-client.ts'
import { Rail } from './rail.tsx'

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
    mutationFn: () => whileLoggingOut(() => call(signIn.logout, {})),
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
        siteName={portalName()}
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
      <Button kind="primary" onClick={() => location.reload()}>
        Try again
      </Button>
    </section>
  )
}

const SETTINGS = '/settings?tab=email'
/** While emails fail: then somebody waits for the line about it to go. */
const WHILE_FAILING = seconds(20)
/** Nobody may touch a screen for hours while no mail comes. */
const LATER = seconds(300)

/** A line above every screen while emails fail, for everybody; for admins also while they only stay on the server. */
function MailNotice({ maySetUp }: { readonly maySetUp: boolean }) {
  const { data, refetch } = useCall(
    settings.mailStatus,
    {},
    {
      refetchOnWindowFocus: true,
      refetchInterval: ({ state: { data } }) =>
        data && (data.state !== 'working' || data.noMailSince) ? WHILE_FAILING : LATER,
    },
  )
  const { pathname } = useLocation()

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read again with each screen
  useEffect(() => void refetch(), [refetch, pathname])

  if (data && data.state !== 'working') return <FailureLine status={data} maySetUp={maySetUp} />
  return maySetUp && data ? <KeptHereNotice isWaiting={data.isWaiting ?? false} /> : null
}

/** It cannot be hidden: without emails, nobody signs in without the console. */
function FailureLine({ status, maySetUp }: { readonly status: MailStatus; readonly maySetUp: boolean }) {
  const { state, since, reason, admins } = status
  return (
    <aside
      className="warning line small portal-notice"
      data-kind="error"
      aria-label="Email delivery"
      role="alert"
    >
      <p>
        <strong>
          {state === 'failing' && since
            ? `Emails have been failing since ${formatShort(since)}.`
            : 'No email has come through the new mail provider yet.'}
        </strong>{' '}
        {reason && <span className="portal-notice-more">{reason}. </span>}
        Sign-in codes are printed on the console of the server.{' '}
        {maySetUp ? <a href={SETTINGS}>See the mail settings</a> : whomToAsk(admins)}
      </p>
    </aside>
  )
}

function whomToAsk(admins: readonly string[]): string {
  const names = new Intl.ListFormat('en-AU', { type: 'disjunction' }).format(admins)
  return names === '' ? 'Ask an admin.' : `Ask ${names}.`
}

function KeptHereNotice({ isWaiting }: { readonly isWaiting: boolean }) {
  const { data } = useCall(dashboard.read, {})
  const cause = data && causeOf(data.attention, isWaiting)
  const [hidden, setHidden] = useState<string | null>(null)

  useEffect(() => {
    // A problem that was solved and comes back is shown again.
    if (cause === null) forgetHidden()
  }, [cause])

  if (!cause || hidden === cause || isNoticeHidden(cause, Date.now())) return null
  function hide(shown: string) {
    hideNotice(shown, Date.now())
    setHidden(shown)
  }
  return (
    <aside className="warning line small portal-notice" aria-label="Email delivery">
      <p>
        <strong>{isWaiting ? 'The mail provider waits for its test.' : 'No mail provider is set up.'}</strong>{' '}
        <span className="portal-notice-more">
          Emails, including sign-in codes, stay in a folder on the server.{' '}
        </span>
        <a href={SETTINGS}>{isWaiting ? 'Type its six digits' : 'Set it up'}</a>
      </p>
      <Button aria-label="Hide for a day" onClick={() => hide(cause)}>
        <span className="portal-notice-more">Hide for a day</span> <span aria-hidden="true">✕</span>
      </Button>
    </aside>
  )
}

/** Why the notice is shown. Another cause is another notice, which somebody may not have seen. */
function causeOf(attention: { readonly isMailKeptHere: boolean | null } | null, isWaiting: boolean) {
  if (!attention?.isMailKeptHere) return null
  return isWaiting ? 'waiting' : 'mailbox'
}

/** The `localStorage` key of the notice that was hidden in this browser. */
const KEY = 'landfall-hidden-notice'
/** Milliseconds. Tomorrow the reason is still there, and somebody should see to it. */
const HIDDEN_FOR = days(1)

function hideNotice(cause: string, now: number): void {
  attempt(() => localStorage.setItem(KEY, JSON.stringify({ cause, until: now + HIDDEN_FOR })))
}

function isNoticeHidden(cause: string, now: number): boolean {
  const hidden = attempt(() => JSON.parse(localStorage.getItem(KEY) ?? 'null'))
  return hidden?.cause === cause && Number(hidden.until) > now
}

function forgetHidden(): void {
  attempt(() => localStorage.removeItem(KEY))
}

/** A browser may deny access to storage, and the stored value may be anything: then the notice is shown. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Its code is loaded when it is opened. */
const EditProfileDialog = lazily(
  async () => (await import('../features/profile/edit-profile-dialog.tsx')).EditProfileDialog,
)

/** The user's own profile, shown over any screen with `?profile=edit` in its URL; Back closes it. */
function ProfileDialog({ name }: { name: string }) {
  const [params, setParams] = useSearchParams()
  if (params.get('profile') !== 'edit') return null
  function close() {
    const next = new URLSearchParams(params)
    next.delete('profile')
    setParams(next)
  }
  return <EditProfileDialog name={name} onClose={close} />
}

/** Keeps what is shown of messages up to date. Its code is loaded once the first screen is. */
function useLive(isWanted: boolean) {
  const client = useQueryClient()
  useEffect(() => {
    if (!isWanted) return
    const stop = new AbortController()
    import('./live.ts').then(({ followMessages }) => followMessages(client, stop.signal)).catch(() => {})
    return () => stop.abort()
  }, [client, isWanted])
}
