import { type FormEvent, useId, useRef, useState } from 'react'
import { writeFields } from './field-values.ts'
import { EmailField, MessageField, NameField, PhoneField, ServiceField } from './fields.tsx'
import { Captcha, DraftLine, ErrorSummary, Received, Tabs } from './form-parts.tsx'
import type { SubmitResult } from './form-submitter.ts'
import type { FieldName, FormState, FormTexts } from './form-texts.ts'
import { useDraft } from './use-draft.ts'
import { useFormSubmitter } from './use-form-submitter.ts'
import { useTabAddress } from './use-tab-url.ts'

/** The enquiry form. Without JavaScript it posts to /contact, and the server answers with a page. */
export function EnquiryForm({ texts, ...given }: FormState & { readonly texts: FormTexts }) {
  const [type, setType] = useState(given.formType)
  const [told, setTold] = useState<SubmitResult>({ errors: given.errors ?? {}, error: given.error })
  const [isSubmitting, setSubmitting] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const draft = useDraft(
    form,
    given,
    setType,
    texts.forms.map(each => each.type),
  )
  const goTo = useTabAddress(type, choose)
  const { openDesk, captcha } = useFormSubmitter(texts, form, () =>
    setTold(({ errors, error }) => ({ errors: { ...errors, recaptchaToken: undefined }, error })),
  )
  const id = useId()

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { currentTarget } = event
    if (isSubmitting) return
    setSubmitting(true)
    const submitter = await openDesk()
    // What sends it did not come over the line; the browser itself can send it as well.
    if (!submitter) return currentTarget.submit()
    const answer = await submitter.submit(currentTarget, type, values => draft.keyOf(type, values))
    setSubmitting(false)
    setTold({ ...answer, isNew: true })
    if (!answer.reference) return
    writeFields(currentTarget, () => '')
    draft.drop()
  }

  function changed() {
    draft.keep(type)
    if (told.reference) setTold({ errors: {} })
  }

  function choose(chosen: string) {
    if (chosen !== type) setTold({ errors: {} })
    setType(chosen)
    draft.keep(chosen)
  }

  const field = (name: FieldName) => ({
    id: `${id}${name}`,
    name,
    texts,
    error: told.errors[name],
    value: given.values?.[name],
  })
  return (
    <div className="enquiry">
      <Tabs forms={texts.forms} current={type} onChoose={goTo} />
      <form
        ref={form}
        method="post"
        action="/contact"
        noValidate
        onSubmit={submit}
        onInput={changed}
        onFocus={openDesk}
        onPointerDown={openDesk}
        aria-busy={isSubmitting}
      >
        <input type="hidden" name="formType" value={type} />
        <input type="hidden" name="recaptchaToken" value={texts.noScriptToken} />
        <ErrorSummary told={told} idOf={name => `${id}${name}`} />
        <NameField {...field('name')} />
        <EmailField {...field('email')} />
        <PhoneField {...field('phone')} />
        <ServiceField {...field('service')} />
        <MessageField {...field('message')} />
        <Captcha id={`${id}recaptchaToken`} host={captcha} error={told.errors.recaptchaToken} />
        <button className="button button-primary button-large" type="submit" aria-disabled={isSubmitting}>
          {isSubmitting ? 'Submitting...' : 'Send enquiry'}
        </button>
        <div role="status">
          {told.reference && <Received texts={texts.received} reference={told.reference} />}
        </div>
        <DraftLine draft={draft} />
      </form>
    </div>
  )
}
