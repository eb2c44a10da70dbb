import { type MouseEvent, type ReactNode, type Ref, useEffect, useRef } from 'react'
import type { DraftOfForm } from './drafts/use-draft.ts'
import type { SubmitResult } from './form-submitter.ts'
import type { FormTexts } from './form-texts.ts'

interface TabsProps {
  readonly texts: FormTexts
  readonly current: string
  readonly onChoose: (type: string) => void
}

/** The kinds of enquiry. They are links, so that they work without JavaScript. */
export function Tabs({ texts: { forms, labels }, current, onChoose }: TabsProps) {
  return (
    <nav className="enquiry-form-tabs" aria-label={labels.kinds}>
      {forms.map(({ type, label, purpose }) => (
        <a
          key={type}
          href={`/contact?form=${type}#get-in-touch`}
          aria-current={type === current ? 'true' : undefined}
          onClick={event => {
            event.preventDefault()
            onChoose(type)
          }}
        >
          <strong>{label}</strong> <span>{purpose}</span>
        </a>
      ))}
    </nav>
  )
}

interface ErrorSummaryProps {
  readonly texts: FormTexts
  readonly result: SubmitResult
  readonly idOf: (name: string) => string
}

/** Leads to each field with an error, which is said there. It takes the focus when the visitor has just sent the form. */
export function ErrorSummary({ texts: { labels, groups }, result, idOf }: ErrorSummaryProps) {
  const { errors, error } = result
  const ref = useRef<HTMLElement>(null)

  useEffect(() => {
    if (result.isNew) ref.current?.focus()
  }, [result])

  const fields = groups.flatMap(group => group.fields)
  const found = [...fields, { name: 'recaptchaToken', label: labels.captcha }].filter(it => errors[it.name])
  if (found.length === 0 && !error) return null
  const title = idOf('correct')
  return (
    <section className="error-summary" ref={ref} tabIndex={-1} aria-labelledby={title}>
      <p id={title}>
        <strong>{labels.correct}</strong>
      </p>
      {error && <p>{error}</p>}
      <ul>
        {found.map(({ name, label }) => (
          <li key={name}>
            <a href={`#${idOf(name)}`} onClick={focusTarget}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Focuses the field without adding its fragment to the URL and the history. */
function focusTarget(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault()
  document.getElementById(event.currentTarget.hash.slice(1))?.focus()
}

interface CaptchaProps {
  readonly id: string
  readonly label: string
  readonly host: Ref<HTMLDivElement>
  readonly error: string | undefined
}

/** The place for the bot check's checkbox, when it has one. */
export function Captcha({ id, label, host, error }: CaptchaProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would take part in the form
    <div
      className="field captcha"
      id={id}
      role="group"
      tabIndex={-1}
      aria-label={label}
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

/** Informs visitors that what they type stays on this device, which may not be theirs. */
export function DraftNotice({ draft, labels }: { draft: DraftOfForm; labels: FormTexts['labels'] }) {
  if (draft.state === 'none') return null
  if (draft.state === 'removed') return <Notice>{labels.draftRemoved}</Notice>
  return (
    <Notice>
      {labels.draft}{' '}
      <button
        type="button"
        className="button button-link"
        onClick={event => {
          // The button disappears, so a screen reader reads out the text that replaces it.
          event.currentTarget.parentElement?.focus()
          draft.remove()
        }}
      >
        {labels.removeDraft}
      </button>
    </Notice>
  )
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <p className="quiet small enquiry-form-draft" tabIndex={-1}>
      {children}
    </p>
  )
}
