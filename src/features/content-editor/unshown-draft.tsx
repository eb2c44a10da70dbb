import type { BodyErrors } from '../../content/bodies.ts'
import { editable } from '../site/editable.ts'
import type { SiteSettings } from '../site/layout.tsx'

/** Shown to staff in place of a draft that no page can show. */
export function UnshownDraft({ errors, site }: { errors: BodyErrors; site: SiteSettings }) {
  return (
    <main className="site-section site-prose">
      <h1>This draft cannot be shown yet</h1>
      <p>Correct these fields:</p>
      <ul>
        {Object.entries(errors).map(([path, message]) => (
          <li key={path} {...editable(site, path)}>
            <strong>{path}</strong>: {message}
          </li>
        ))}
      </ul>
    </main>
  )
}
