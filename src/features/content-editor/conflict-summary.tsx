import { fromStablePath } from './body-path.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { useDocumentForm } from './form-context.ts'

/** Says that somebody has to choose, and leads to the first such field. One that is no longer in the form stands here. */
export function ConflictSummary({ onPick }: { onPick: (path: string) => void }) {
  const { body, conflicts, otherEditor } = useDocumentForm()
  const paths = conflicts.map(({ path }) => fromStablePath(body, path))
  const first = paths.find(path => path !== null)
  if (conflicts.length === 0) return null
  return (
    <div className="content-editor-notice" role="alert">
      <p>
        {otherEditor ?? 'Somebody else'} changed{' '}
        {conflicts.length === 1 ? 'a field' : `${conflicts.length} fields`} that you changed too. Nothing is
        saved until you choose.{' '}
        {first && (
          <button type="button" className="button button-link" onClick={() => onPick(first)}>
            Choose
          </button>
        )}
      </p>
      {conflicts
        .filter((_, at) => paths[at] === null)
        .map(conflict => (
          <ConflictNotice key={conflict.path} conflict={conflict} />
        ))}
    </div>
  )
}
