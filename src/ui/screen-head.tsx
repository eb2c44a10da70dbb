import type { ReactNode } from 'react'

interface ScreenHeadProps {
  readonly title: string
  /** Shown beside the title. */
  readonly count?: string | undefined
  /** The actions of the screen. */
  readonly children?: ReactNode
}

/** The heading of a screen, and the document title. */
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
