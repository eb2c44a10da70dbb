import { mayOpen, screens } from '../screens.ts'
import type { Viewer } from '../ui/header.tsx'

/** The screens that the viewer may open, at the left of a wide window. On narrower ones the header's menus lead to them. */
export function Rail({ viewer, current }: { viewer: Pick<Viewer, 'permissions'>; current: string }) {
  const open = screens.filter(screen => mayOpen(screen, viewer.permissions))
  return (
    <nav className="rail" aria-label="Screens">
      {open.map(({ path, label }) => (
        <a key={path} className="rail-link" href={path} aria-current={path === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}
