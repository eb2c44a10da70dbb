import { startFormCheck } from '../../bot-check/browser.ts'
import { showToast } from '../../ui/toast.ts'
import { describeAnswer } from './describe-answer.ts'
import { findErrors } from './field-errors.ts'
import { readSentFields } from './field-values.ts'
import type { FieldErrors, FieldValues, FormTexts } from './form-texts.ts'
import { sendEnquiry } from './send.ts'

/** The result of an attempt: a reference when the enquiry was received, else what to correct or what went wrong. */
export interface SubmitResult {
  readonly errors: FieldErrors
  readonly error?: string | undefined
  readonly reference?: string | undefined
  /** When the answer comes, where that is known. */
  readonly answer?: string
  /** Whether the visitor has just pressed the button, so that the focus moves to the errors. */
  readonly isNew?: boolean
}

/** Sends the enquiries of one form. The page loads it when someone begins to type. */
export interface FormSubmitter {
  /** Also shows the outcome in a toast. @param keyOf the idempotency key of these values */
  submit(form: HTMLFormElement, type: string, keyOf: (values: FieldValues) => string): Promise<SubmitResult>
}

/** @param host the element for the bot check's checkbox */
export function createFormSubmitter(
  texts: FormTexts,
  host: HTMLElement,
  onTicked: () => void,
): FormSubmitter {
  const check = startFormCheck(texts.siteKey, host, onTicked)
  const { recaptchaToken } = texts.messages
  const { failed, close: closeLabel } = texts.labels
  return {
    async submit(form, type, keyOf) {
      const errors = { ...findErrors(form, texts), ...(check.needsTick() && { recaptchaToken }) }
      if (Object.keys(errors).length > 0) return { errors }
      const values = readSentFields(form)
      const token = await check.token()
      if (!token) return { errors: { recaptchaToken } }
      const path = texts.forms.find(each => each.type === type)?.path ?? '/api/contact'
      const outcome = await sendEnquiry(texts, path, values, token, keyOf(values))
      if ('reference' in outcome) {
        check.reset()
        showToast({ ...texts.received, closeLabel })
        const answer = describeAnswer(texts.answer, new Date(), document.documentElement.lang)
        return { errors: {}, reference: outcome.reference, answer }
      }
      if (outcome.errors.recaptchaToken) check.reset()
      showToast({ title: failed, description: outcome.message, kind: 'error', closeLabel })
      return { errors: outcome.errors, error: outcome.message }
    },
  }
}
