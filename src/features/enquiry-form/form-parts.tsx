import { type MouseEvent, type ReactNode, type Ref, useEffect, useRef } from 'react'
import type { SubmitResult } from './form-submitter.ts'
import type { FormTexts } from './form-texts.ts'
import type { DraftOfForm } from './use-draft.ts'

/** The kinds of enquiry. They are links, for whoever has no JavaScript. */
export function Tabs({
  forms,
  current,
  onChoose,
}: {
  forms: FormTexts['forms']
  current: string
  onChoose: (type: string) => void
}) {
  return (
    <nav className="enquiry-tabs" aria-label="Kind of enquiry">
      {forms.map(({ type, label }) => (
        <a
          key={type}
          href={`/contact?form=${type}#get-in-touch`}
          aria-current={type === current ? 'true' : undefined}
          onClick={event => {
            event.preventDefault()
            onChoose(type)
          }}
        >
          {label}
        </a>
      ))}
    </nav>
  )
}

/** All that is to be corrected, each a link to its field. An answer that has just come brings the reader here. */
export function ErrorSummary({ told, idOf }: { told: SubmitResult; idOf: (name: string) => string }) {
  const { errors, error } = told
  const ref = useRef<HTMLElement>(null)

  useEffect(() => {
    if (told.isNew) ref.current?.focus()
  }, [told])

  const found = Object.entries(errors).filter(([, message]) => message)
  if (found.length === 0 && !error) return null
  return (
    <section className="error-summary" ref={ref} tabIndex={-1} aria-label="What to correct">
      {error && <p>{error}</p>}
      <ul>
        {found.map(([name, message]) => (
          <li key={name}>
            <a href={`#${idOf(name)}`} onClick={focusTarget}>
              {message}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Without this the address and the way back would fill with places in the form. */
function focusTarget(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault()
  document.getElementById(event.currentTarget.hash.slice(1))?.focus()
}

/** Where the bot check shows its checkbox, when it has one. */
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

export function Received({ texts, reference }: { texts: FormTexts['received']; reference: string }) {
  return (
    <p className="enquiry-received">
      <strong>{texts.title}</strong>
      {texts.description} Your reference is <strong className="reference">{reference}</strong>.
    </p>
  )
}

/** Tells a visitor, whose device may be another's, that what they write stays on it. */
export function DraftLine({ draft }: { draft: DraftOfForm }) {
  if (draft.state === 'none') return null
  if (draft.state === 'removed')
    return <Line>The draft was removed from this device, and no new one is kept.</Line>
  return (
    <Line>
      A draft is kept on this device until you send it.{' '}
      <button
        type="button"
        onClick={event => {
          // The button goes; who pressed it hears what stands in its place.
          event.currentTarget.parentElement?.focus()
          draft.remove()
        }}
      >
        Remove the draft
      </button>
    </Line>
  )
}

function Line({ children }: { children: ReactNode }) {
  return (
    <p className="enquiry-draft" tabIndex={-1}>
      {children}
    </p>
  )
}
