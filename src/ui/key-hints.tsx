import { Fragment } from 'react'

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
