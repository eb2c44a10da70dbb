import { useEffect, useRef } from 'react'
import type { Finding } from '../../../content/claims/finding.ts'
import type { FormErrors } from '../../../ui/form/field.tsx'
import { claimId } from '../claims/claim-findings.ts'
import { useOpenEditor } from '../forms/form-context.ts'

interface ErrorSummaryProps {
  readonly errors: FormErrors
  readonly findings: readonly Finding[]
}

/** All that keeps the document from being published. Each line leads to its field. */
export function ErrorSummary({ errors, findings }: ErrorSummaryProps) {
  const { labelOf, pick } = useOpenEditor()
  const summary = useRef<HTMLDivElement>(null)
  const paths = Object.keys(errors)
  const hasErrors = paths.length > 0
  useEffect(() => {
    if (hasErrors) summary.current?.focus()
  }, [hasErrors])
  if (!hasErrors) return null
  const count = paths.length + findings.length
  const line = (key: string, path: string, text: string) => (
    <button
      key={key}
      type="button"
      className="button button-link content-editor-error"
      onClick={() => pick(path)}
    >
      {labelOf(path)}: {text}
    </button>
  )
  return (
    <div className="error-summary" role="alert" tabIndex={-1} ref={summary}>
      <p>
        <strong>
          Not ready: {count === 1 ? 'one thing is' : `${count} things are`} missing or must change.
        </strong>
      </p>
      {paths.map(path => line(path, path, errors[path] ?? ''))}
      {findings.map(finding => line(claimId(finding), finding.path, `“${finding.quote}”. ${finding.why}`))}
    </div>
  )
}
