import { Fragment } from 'react'

/** Tells of the keys that work here, where there is likely to be a keyboard. */
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
