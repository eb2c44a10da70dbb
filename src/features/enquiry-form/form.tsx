import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { writeFields } from './field-values.ts'
import { Fields } from './fields.tsx'
import { Captcha, DraftNotice, ErrorSummary, Tabs } from './form-parts.tsx'
import type { SubmitResult } from './form-submitter.ts'
import type { FormState, FormTexts } from './form-texts.ts'
import { useDraft } from './use-draft.ts'
import { useFormSubmitter } from './use-form-submitter.ts'
import { useTabUrl } from './use-tab-url.ts'

/** The enquiry form. Without JavaScript it posts to /contact, and the server answers with a page. */
export function EnquiryForm({ texts, ...initial }: FormState & { readonly texts: FormTexts }) {
  const [type, setType] = useState(initial.formType)
  const [result, setResult] = useState<SubmitResult>({ errors: initial.errors ?? {}, error: initial.error })
  const [isSubmitting, setSubmitting] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  // The page has only the fields that its form needs without a script.
  const [isComplete, setComplete] = useState(false)
  useEffect(() => setComplete(true), [])
  const draft = useDraft(
    form,
    initial,
    setType,
    texts.forms.map(each => each.type),
    isComplete,
  )
  const goTo = useTabUrl(type, choose)
  const { loadSubmitter, captcha } = useFormSubmitter(form, {
    correct: (name, text) =>
      setResult(({ errors, error }) => ({ errors: { ...errors, [name]: text }, error })),
    again: () => setResult({ errors: {} }),
  })
  const id = useId()

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { currentTarget } = event
    if (isSubmitting) return
    setSubmitting(true)
    const submitter = await loadSubmitter()
    // The script could not be loaded; the browser can send the form by itself.
    if (!submitter) return currentTarget.submit()
    const outcome = await submitter.submit(currentTarget, type, values => draft.keyOf(type, values))
    setSubmitting(false)
    setResult({ ...outcome, isNew: true })
    if (!outcome.receipt) return
    writeFields(currentTarget, () => '')
    draft.drop()
  }

  function choose(chosen: string) {
    if (chosen !== type) setResult({ errors: {} })
    setType(chosen)
    draft.keep(chosen)
  }

  const idOf = (name: string) => `${id}${name}`
  return (
    <div className="enquiry-form">
      {result.receipt}
      <div hidden={!!result.receipt}>
        <Tabs texts={texts} current={type} onChoose={goTo} />
        <form
          ref={form}
          method="post"
          action="/contact"
          noValidate
          onSubmit={submit}
          onInput={() => draft.keep(type)}
          onFocus={loadSubmitter}
          onPointerDown={loadSubmitter}
          aria-busy={isSubmitting}
        >
          <input type="hidden" name="formType" value={type} />
          <input type="hidden" name="recaptchaToken" value={texts.noScriptToken} />
          <ErrorSummary texts={texts} result={result} idOf={idOf} />
          <Fields
            groups={texts.groups.filter(group => isComplete || (group.form ?? type) === type)}
            type={type}
            idOf={idOf}
            values={initial.values ?? {}}
            errors={result.errors}
          />
          <Captcha
            id={idOf('recaptchaToken')}
            label={texts.labels.captcha}
            host={captcha}
            error={result.errors.recaptchaToken}
          />
          <div className="enquiry-form-send">
            <button className="button button-primary button-large" type="submit" aria-disabled={isSubmitting}>
              {isSubmitting ? texts.labels.sending : texts.labels.send}
            </button>
            <p>{texts.note}</p>
          </div>
          <DraftNotice draft={draft} labels={texts.labels} />
        </form>
      </div>
    </div>
  )
}
