import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import { portalName } from './portal-name.ts'

/** Of the screen that the document was loaded with, until another one is opened: a document starts at its top. */
let firstPath: string | null = globalThis.location?.pathname ?? null

interface ScreenHeadProps {
  readonly title: string
  /** Shown beside the title. */
  readonly count?: string | undefined
  /** In how many enquiries something waits for the user: shown before the title. */
  readonly waiting?: number | undefined
  /** Whether the screen is narrow, beside something that is open. */
  readonly isBeside?: boolean
  readonly children?: ReactNode
}

/** The heading of a screen, and the document title. It takes the focus if what had it went with the screen before. */
export function ScreenHead({ title, count, waiting = 0, isBeside, children }: ScreenHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (location.pathname === firstPath) return
    firstPath = null
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="line wrap screen-head" data-beside={isBeside ? '' : undefined}>
      <title>{`${waiting > 0 ? `(${waiting}) ` : ''}${title} | ${portalName()}`}</title>
      <h1 ref={heading} tabIndex={-1}>
        {title} {count && <span className="count">{count}</span>}
      </h1>
      {children}
    </div>
  )
}

/** Lists the keyboard shortcuts of a screen, on devices that are likely to have a keyboard. */
export function KeyHints({ keys }: { keys: readonly (readonly [key: string, does: string])[] }) {
  return (
    <p className="key-hints">
      <span className="visually-hidden">Keys: </span>
      {keys.map(([key, does], at) => (
        <Fragment key={key}>
          {at > 0 && <span className="visually-hidden">, </span>}
          <span>
            <kbd>{key}</kbd> {does}
          </span>
        </Fragment>
      ))}
    </p>
  )
}
