import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useDraft } from './drafts/use-draft.ts'
import { writeFields } from './field-values.ts'
import { Fields } from './fields.tsx'
import { Captcha, DraftNotice, ErrorSummary, Tabs } from './form-parts.tsx'
import type { FormEvents, FormSubmitter, SubmitResult } from './form-submitter.ts'
import { type FormState, type FormTexts, SEND_TEXTS_PATH } from './form-texts.ts'

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
          <div className="line wrap enquiry-form-send">
            <button className="button button-primary button-large" type="submit" aria-disabled={isSubmitting}>
              {isSubmitting ? texts.labels.sending : texts.labels.send}
            </button>
            <p className="quiet small">{texts.note}</p>
          </div>
          <DraftNotice draft={draft} labels={texts.labels} />
        </form>
      </div>
    </div>
  )
}

/** What sends the form. It is loaded when someone first uses the form, so readers do not pay for it. */
export function useFormSubmitter(form: RefObject<HTMLFormElement | null>, events: FormEvents) {
  const captcha = useRef<HTMLDivElement>(null)
  const opened = useRef<Promise<FormSubmitter | null>>(null)

  async function load(): Promise<FormSubmitter | null> {
    try {
      const [it, texts] = await Promise.all([import('./form-submitter.ts'), fetch(SEND_TEXTS_PATH)])
      return captcha.current && (await it.createFormSubmitter(texts, captcha.current, events))
    } catch {
      opened.current = null
      return null
    }
  }

  function loadSubmitter(): Promise<FormSubmitter | null> {
    opened.current ??= load()
    return opened.current
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once: someone may be typing before this script runs
  useEffect(() => {
    if (form.current?.contains(document.activeElement)) loadSubmitter()
  }, [])

  return { loadSubmitter, captcha }
}

/**
 * Keeps the kind of enquiry in the URL, so that links can be shared and Back and reload work. Each history entry also
 * stores its kind, because the first may have it from a draft.
 * @param onChoose called when a kind is chosen or Back leads to one
 * @returns a function that chooses a kind
 */
export function useTabUrl(type: string, onChoose: (type: string) => void): (type: string) => void {
  const latest = useRef(onChoose)
  latest.current = onChoose

  useEffect(() => {
    const follow = ({ state }: PopStateEvent) => {
      if (typeof state?.form === 'string') latest.current(state.form)
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])

  return chosen => {
    onChoose(chosen)
    if (chosen === type) return
    const url = new URL(location.href)
    url.searchParams.set('form', chosen)
    history.replaceState({ form: type }, '')
    history.pushState({ form: chosen }, '', url)
  }
}
