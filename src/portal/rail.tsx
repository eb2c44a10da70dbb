import { Fragment, memo, useEffect, useState } from 'react'
import { type Dashboard, dashboard, MAX_COUNTED } from '../features/dashboard/contract.ts'
import { settings } from '../features/settings/contract.ts'
import { describeMinutes } from '../features/settings/mail-in/no-mail.ts'
import { mayOpen, menuScreens, type ScreenPath } from '../screens.ts'
import type { Viewer } from '../ui/header/header.tsx'
import { lazily } from '../ui/lazy-part.ts'
import { useCall } from '../ui/use-call.ts'

const INBOX = '/messages'

/** Only who opens the inbox loads it. */
const ViewLinks = lazily(async () => (await import('../features/inbox/list/view-links.tsx')).ViewLinks)

/** The screens that the viewer may open, at the left of a wide window. On narrower ones the header's menus lead to them. */
export function Rail({ viewer, current }: { viewer: Pick<Viewer, 'permissions'>; current: string }) {
  const open = menuScreens.filter(screen => mayOpen(screen, viewer.permissions))
  const counts = useCounts()
  return (
    <nav className="rail" aria-label="Screens">
      {open.map(({ path, label }) => {
        const hasViews = path === INBOX && current === INBOX
        return (
          <Fragment key={path}>
            <a
              className="focus-inside line wrap small break rail-link"
              href={path}
              aria-current={currentMark(path, current)}
            >
              <RailIcon path={path} />
              <span className="rail-label">{label}</span>
              {counts[path] && !hasViews && <span className="figures rail-count">{counts[path]}</span>}
            </a>
            {hasViews && (
              <div className="rail-views">
                <ViewLinks />
              </div>
            )}
          </Fragment>
        )
      })}
      <OfficeClock />
      <NoMail />
      <div id="rail-foot" />
    </nav>
  )
}

/** The open tasks of each screen, in words. The counts come from the dashboard, which is refetched after each write. */
function useCounts(): Partial<Record<ScreenPath, string>> {
  const { data } = useCall(dashboard.read, {})
  const unread = data?.attention?.unread ?? 0
  const due = (data?.content?.factCount ?? 0) + (data?.content?.reviewCount ?? 0)
  return {
    ...(unread > 0 && { '/messages': `${unread >= MAX_COUNTED ? '1,000+' : unread} unread` }),
    ...(due > 0 && { '/content': `${due} due` }),
  }
}

/** A screen is also marked while one below it is open. */
function currentMark(path: string, current: string): 'page' | 'true' | undefined {
  if (path === current) return 'page'
  return current.startsWith(`${path}/`) ? 'true' : undefined
}

/** Milliseconds. The clock has no seconds. */
const TICK = 10_000

/** The time at the office, and whether it is open: staff work elsewhere, too. */
const OfficeClock = memo(function OfficeClock() {
  const { data } = useCall(dashboard.read, {})
  const now = useNow()
  if (!data) return null
  const { timeZone } = data.office
  const city = timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone
  return (
    <p className="figures office-clock">
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="8" />
        <path d="M10 5v5l3 2" />
      </svg>
      <span>
        {city} {timeIn(now, timeZone)}
      </span>
      <span>{describeOffice(data.office, now)}</span>
    </p>
  )
})

/** On every screen while no mail is fetched: what visitors write then is not here. */
const NoMail = memo(function NoMail() {
  const { data } = useCall(settings.mailStatus, {})
  const now = useNow()
  if (!data?.noMailSince) return null
  return (
    <p className="figures rail-alert" role="status">
      No mail for {describeMinutes(data.noMailSince, now)}
    </p>
  )
})

function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK)
    return () => clearInterval(timer)
  }, [])
  return now
}

function describeOffice({ timeZone, openUntil, opensAt }: Dashboard['office'], now: Date): string {
  const [closes, opens] = [openUntil, opensAt].map(time => (time ? new Date(time) : null))
  if (closes && now < closes) return `Office open until ${shortTime(closes, timeZone)}`
  if (!opens) return 'Office closed'
  if (now >= opens) return 'Office open'
  const day = opens.toLocaleDateString('en-AU', { timeZone, weekday: 'short' })
  return `Office opens ${day} ${shortTime(opens, timeZone)}`
}

const timeIn = (time: Date, timeZone: string) =>
  time.toLocaleTimeString('en-AU', { timeZone, timeStyle: 'short' }).replace('\u202f', ' ')

/** "6 pm", "12:30 pm" */
const shortTime = (time: Date, timeZone: string) => timeIn(time, timeZone).replace(':00', '')

/** Lines of each icon in a square of 24 units. */
const icons: Readonly<Record<ScreenPath, string>> = {
  '/dashboard': 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  '/first-steps/:step': '',
  '/users':
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6M18 14.5c2.2.8 3.5 2.7 3.5 5.5',
  '/messages': 'M4 13 6 5h12l2 8v6H4zM4 13h5l1 2.5h4l1-2.5h5',
  '/content': 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  '/content/:id': '',
  '/settings':
    'M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM12 3v2.5M12 18.5V21M3 12h2.5M18.5 12H21M5.6 5.6l1.8 1.8M16.6 16.6l1.8 1.8M5.6 18.4l1.8-1.8M16.6 7.4l1.8-1.8',
  '/logs': 'M4 6h16M4 12h16M4 18h10',
  '/api-tokens': 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h9v4M17 12v3',
}

function RailIcon({ path }: { path: ScreenPath }) {
  return (
    <svg className="icon rail-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={icons[path]} />
    </svg>
  )
}
