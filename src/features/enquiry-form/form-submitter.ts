import { createElement, type ReactNode } from 'react'
import { startFormCheck } from '../../bot-check/browser.ts'
import { showToast } from '../../ui/toast.ts'
import { describeAnswer } from './describe-answer.ts'
import { describeLength, findErrors } from './field-errors.ts'
import { find, readSentFields } from './field-values.ts'
import type { FieldErrors, FieldValues, SendTexts } from './form-texts.ts'
import { Receipt } from './receipt.tsx'
import { sendEnquiry } from './send.ts'

/** The result of an attempt: a receipt when the enquiry was received, else what to correct or what went wrong. */
export interface SubmitResult {
  readonly errors: FieldErrors
  readonly error?: string | undefined
  /** Takes the place of the form. */
  readonly receipt?: ReactNode
  /** Whether the visitor has just pressed the button, so that the focus moves to the errors. */
  readonly isNew?: boolean
}

/** What the form does when something changes between two attempts. */
export interface FormEvents {
  /** A field is right now, or is found to be wrong while the visitor writes. */
  readonly correct: (name: string, error: string | undefined) => void
  /** The visitor wants the form back after the receipt. */
  readonly again: () => void
}

/** Sends the enquiries of one form. The page loads it when someone begins to type. */
export interface FormSubmitter {
  /** Also shows the outcome in a toast. @param keyOf the idempotency key of these values */
  submit(form: HTMLFormElement, type: string, keyOf: (values: FieldValues) => string): Promise<SubmitResult>
}

/** @param host the element for the bot check's checkbox */
export async function createFormSubmitter(
  response: Response,
  host: HTMLElement,
  { correct, again }: FormEvents,
): Promise<FormSubmitter> {
  if (!response.ok) throw new Error(`${response.status}`)
  const texts: SendTexts = await response.json()
  const check = startFormCheck(texts.siteKey, host, () => correct('recaptchaToken', undefined))
  const { recaptchaToken } = texts.messages
  const { failed, close: closeLabel } = texts.labels
  const tooLong = new Set<string>()
  host.closest('form')?.addEventListener('input', watchLength(texts, tooLong, correct))
  return {
    async submit(form, type, keyOf) {
      const errors = { ...findErrors(form, texts), ...(check.needsTick() && { recaptchaToken }) }
      for (const { name, value } of find(form, '.control'))
        if (isTooLong(texts, name, value)) tooLong.add(name)
      if (Object.keys(errors).length > 0) return { errors }
      const values = readSentFields(form)
      const token = await check.token()
      if (!token) return { errors: { recaptchaToken } }
      const outcome = await sendEnquiry(texts, texts.paths[type] ?? '', values, token, keyOf(values))
      if ('reference' in outcome) {
        check.reset()
        // What failed before no longer matters.
        document.querySelector<HTMLElement>('#toast:popover-open')?.hidePopover()
        const props = {
          texts,
          reference: outcome.reference,
          answer: describeAnswer(texts, new Date()),
          onAgain() {
            again()
            // Once it is shown.
            setTimeout(() => find(form, '.control:enabled')[0]?.focus())
          },
        }
        return { errors: {}, receipt: createElement(Receipt, props) }
      }
      if (outcome.errors.recaptchaToken) check.reset()
      showToast({ title: failed, description: outcome.message, kind: 'error', closeLabel })
      return { errors: outcome.errors, error: outcome.message }
    },
  }
}

/** Says at once how much too long a field is: a long text is mostly pasted, and shortening it takes some tries. */
function watchLength(texts: SendTexts, tooLong: Set<string>, correct: FormEvents['correct']) {
  return ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
    const { name, value } = target
    const isOver = isTooLong(texts, name, value)
    if (!isOver && !tooLong.delete(name)) return
    if (isOver) tooLong.add(name)
    correct(name, isOver ? describeLength(name, value, texts) : undefined)
  }
}

const isTooLong = ({ limits }: SendTexts, name: string, value: string) =>
  value.trim().length > (limits[name]?.max ?? Number.POSITIVE_INFINITY)
