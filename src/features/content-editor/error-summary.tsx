import { useEffect, useRef } from 'react'
import type { FormErrors } from '../../ui/form-errors.ts'
import type { ContentDocument } from './contract.ts'
import { describeField } from './forms.ts'

interface ErrorSummaryProps {
  readonly kind: ContentDocument['kind']
  readonly body: unknown
  readonly errors: FormErrors
  readonly onPick: (path: string) => void
}

/** What keeps the document from being published. Each line leads to its field. */
export function ErrorSummary({ kind, body, errors, onPick }: ErrorSummaryProps) {
  const summary = useRef<HTMLDivElement>(null)
  const paths = Object.keys(errors)
  const hasErrors = paths.length > 0
  useEffect(() => {
    if (hasErrors) summary.current?.focus()
  }, [hasErrors])
  if (!hasErrors) return null
  return (
    <div className="error-summary" role="alert" tabIndex={-1} ref={summary}>
      <p>
        <strong>
          Not published: {paths.length === 1 ? 'one field is' : `${paths.length} fields are`} not ready.
        </strong>
      </p>
      {paths.map(path => (
        <button
          key={path}
          type="button"
          className="button button-link content-editor-error"
          onClick={() => onPick(path)}
        >
          {describeField(kind, body, path)}: {errors[path]}
        </button>
      ))}
    </div>
  )
}
