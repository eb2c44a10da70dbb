import type { Ref } from 'react'

/**
 * The place where the bot check shows its checkbox, when it has one. The enquiry form has a similar component: a shared
 * file would cost every public page one more request.
 */
export function Captcha({
  id,
  host,
  error,
}: {
  id: string
  host: Ref<HTMLDivElement>
  error: string | undefined
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would take part in the form
    <div
      className="field captcha"
      id={id}
      role="group"
      tabIndex={-1}
      aria-label="Proof that you are a person"
      aria-describedby={error && `${id}-error`}
      data-invalid={error ? '' : undefined}
    >
      <div className="captcha-host" ref={host} />
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
