import { type FormEvent, useId, useRef, useState } from 'react'
import { showToast } from '../../ui/toast.ts'
import { type FieldErrors, findErrors } from './field-errors.ts'
import { EmailField, MessageField, NameField, PhoneField, ServiceField } from './fields.tsx'
import { sendEnquiry } from './send.ts'

/** The contract's rules and words, as the server put them into the page: the browser loads no schema for them. */
export interface FormTexts {
  readonly forms: readonly { readonly type: string; readonly label: string; readonly path: string }[]
  readonly services: readonly { readonly value: string; readonly label: string }[]
  readonly limits: {
    readonly name: { readonly least: number; readonly most: number }
    readonly email: { readonly most: number }
    readonly phone: { readonly least: number; readonly most: number }
    readonly message: { readonly least: number; readonly most: number }
  }
  readonly messages: Readonly<Record<FieldName, string>>
  readonly received: { readonly title: string; readonly description: string }
}

export type FieldName = 'name' | 'email' | 'phone' | 'service' | 'message'

/** What the form shows at first. */
export interface FormState {
  readonly formType: string
  readonly values?: Readonly<Partial<Record<FieldName, string>>>
  readonly errors?: FieldErrors
  /** What went wrong beside the fields. */
  readonly problem?: string
}

type EnquiryFormProps = FormState & { readonly texts: FormTexts }

/** The enquiry form. Without JavaScript it posts to /contact, and the server answers with a page. */
export function EnquiryForm({
  texts,
  formType,
  values = {},
  errors: firstErrors = {},
  problem: firstProblem,
}: EnquiryFormProps) {
  const [type, setType] = useState(formType)
  const [errors, setErrors] = useState<FieldErrors>(firstErrors)
  const [problem, setProblem] = useState(firstProblem)
  const [isSubmitting, setSubmitting] = useState(false)
  const [reference, setReference] = useState<string | null>(null)
  const summary = useRef<HTMLElement>(null)
  const idempotencyKey = useRef<string | null>(null)
  const id = useId()

  function refuse(found: FieldErrors, message?: string) {
    setErrors(found)
    setProblem(message)
    // The summary is there after this render.
    requestAnimationFrame(() => summary.current?.focus())
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isSubmitting) return
    const form = event.currentTarget
    const found = findErrors(form, texts)
    if (Object.keys(found).length > 0) return refuse(found)
    setSubmitting(true)
    setErrors({})
    setProblem(undefined)
    // A second try of the same content carries the same key, so that nothing is stored twice.
    idempotencyKey.current ??= crypto.randomUUID()
    const path = texts.forms.find(each => each.type === type)?.path ?? '/api/contact'
    const outcome = await sendEnquiry(path, new FormData(form), idempotencyKey.current)
    setSubmitting(false)
    if ('reference' in outcome) {
      idempotencyKey.current = null
      form.reset()
      setReference(outcome.reference)
      return showToast(texts.received)
    }
    showToast({ title: 'Submission Failed', description: outcome.message, kind: 'error' })
    refuse(outcome.errors, outcome.message)
  }

  function changed() {
    idempotencyKey.current = null
    setReference(null)
  }

  const field = (name: FieldName) => ({
    id: `${id}${name}`,
    name,
    texts,
    error: errors[name],
    value: values[name],
  })
  return (
    <div className="enquiry">
      <nav className="enquiry-tabs" aria-label="Kind of enquiry">
        {texts.forms.map(each => (
          <a
            key={each.type}
            href={`/contact?form=${each.type}#get-in-touch`}
            aria-current={each.type === type ? 'true' : undefined}
            onClick={event => {
              event.preventDefault()
              setType(each.type)
            }}
          >
            {each.label}
          </a>
        ))}
      </nav>
      <form
        method="post"
        action="/contact"
        noValidate
        onSubmit={submit}
        onChange={changed}
        aria-busy={isSubmitting}
      >
        <input type="hidden" name="formType" value={type} />
        <input type="hidden" name="recaptchaToken" value="recaptcha_unavailable_nojs" />
        <ErrorSummary ref={summary} errors={errors} problem={problem} idOf={name => `${id}${name}`} />
        <NameField {...field('name')} />
        <EmailField {...field('email')} />
        <PhoneField {...field('phone')} />
        <ServiceField {...field('service')} />
        <MessageField {...field('message')} />
        <button className="button button-primary button-large" type="submit" aria-disabled={isSubmitting}>
          {isSubmitting ? 'Submitting...' : 'Send enquiry'}
        </button>
        <div role="status">{reference && <Received texts={texts} reference={reference} />}</div>
      </form>
    </div>
  )
}

function Received({ texts, reference }: { texts: FormTexts; reference: string }) {
  return (
    <p className="enquiry-received">
      <strong>{texts.received.title}</strong>
      {texts.received.description} Your reference is <strong className="reference">{reference}</strong>.
    </p>
  )
}

function ErrorSummary({
  ref,
  errors,
  problem,
  idOf,
}: {
  ref: React.Ref<HTMLElement>
  errors: FieldErrors
  problem: string | undefined
  idOf: (name: string) => string
}) {
  const found = Object.entries(errors)
  if (found.length === 0 && !problem) return null
  return (
    <section className="error-summary" ref={ref} tabIndex={-1} aria-label="What to correct">
      {problem && <p>{problem}</p>}
      <ul>
        {found.map(([name, message]) => (
          <li key={name}>
            <a href={`#${idOf(name)}`}>{message}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
