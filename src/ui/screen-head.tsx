import type { ReactNode } from 'react'

interface ScreenHeadProps {
  readonly title: string
  /** Beside the title: how many wait. */
  readonly count?: string | undefined
  /** What can be done on this screen as a whole. */
  readonly children?: ReactNode
}

/** The top of each screen, and the name of its tab in the browser. */
export function ScreenHead({ title, count, children }: ScreenHeadProps) {
  return (
    <div className="screen-head">
      <title>{`${title} | Landfall`}</title>
      <h1>
        {title} {count && <span className="count">{count}</span>}
      </h1>
      {children}
    </div>
  )
}
