import type { BodyErrors } from '../../content/bodies.ts'
import type { TypedBody } from '../../content/typed-body.ts'
import { editable } from '../site/editable.ts'
import type { SiteSettings } from '../site/layout.tsx'
import { TOO_LONG } from './check-size.server.ts'
import { describeField } from './forms.ts'

/** Shown to staff in place of a draft that no page can show. */
export function UnshownDraft({
  draft,
  errors,
  isTooLong,
  site,
}: {
  readonly draft: TypedBody
  readonly errors: BodyErrors
  readonly isTooLong: boolean
  readonly site: SiteSettings
}) {
  return (
    <main className="site-section site-prose">
      <h1>This draft cannot be shown yet</h1>
      {isTooLong ? (
        <p>{TOO_LONG}</p>
      ) : (
        <>
          <p>Correct these fields:</p>
          <ul>
            {Object.entries(errors).map(([path, message]) => (
              <li key={path} {...editable(site, path)}>
                <strong>{describeField(draft.kind, draft.body, path)}</strong>: {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </main>
  )
}
