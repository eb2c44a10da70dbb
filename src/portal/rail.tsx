import { useQuery } from '@tanstack/react-query'
import { Fragment, lazy, Suspense } from 'react'
import { MAX_COUNTED } from '../features/dashboard/contract.ts'
import { dashboardQuery } from '../features/dashboard/queries.ts'
import { mayOpen, menuScreens, type ScreenPath } from '../screens.ts'
import type { Viewer } from '../ui/header.tsx'
import { RailIcon } from './rail-icon.tsx'

const INBOX = '/messages'

/** Only who opens the inbox loads it. */
const ViewLinks = lazy(async () => ({
  default: (await import('../features/inbox/view-links.tsx')).ViewLinks,
}))

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
            <a className="rail-link" href={path} aria-current={currentMark(path, current)}>
              <RailIcon path={path} />
              <span className="rail-label">{label}</span>
              {counts[path] && !hasViews && <span className="rail-count">{counts[path]}</span>}
            </a>
            {hasViews && (
              <div className="rail-views">
                <Suspense>
                  <ViewLinks />
                </Suspense>
              </div>
            )}
          </Fragment>
        )
      })}
      <div id="rail-foot" />
    </nav>
  )
}

/** What is to be done on a screen, in words. The figures are those of the dashboard, which each write reads again. */
function useCounts(): Partial<Record<ScreenPath, string>> {
  const { data } = useQuery(dashboardQuery)
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
