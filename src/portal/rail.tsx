import { mayOpen, menuScreens } from '../screens.ts'
import type { Viewer } from '../ui/header.tsx'

/** The screens that the viewer may open, at the left of a wide window. On narrower ones the header's menus lead to them. */
export function Rail({ viewer, current }: { viewer: Pick<Viewer, 'permissions'>; current: string }) {
  const open = menuScreens.filter(screen => mayOpen(screen, viewer.permissions))
  return (
    <nav className="rail" aria-label="Screens">
      {open.map(({ path, label }) => (
        <a key={path} className="rail-link" href={path} aria-current={currentMark(path, current)}>
          {label}
        </a>
      ))}
    </nav>
  )
}

/** A screen is also marked while one below it is open. */
function currentMark(path: string, current: string): 'page' | 'true' | undefined {
  if (path === current) return 'page'
  return current.startsWith(`${path}/`) ? 'true' : undefined
}
