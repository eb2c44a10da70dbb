import { createElement, type ReactNode } from 'react'
import { startFormCheck } from '../../bot-check/browser.ts'
import { ApiError, readReply } from '../../http/api-client.ts'
import { showToast } from '../../ui/toast/toast.ts'
import { nestDetails } from './details/nest-details.ts'
import { describeLength, findErrors, translateErrors } from './field-errors.ts'
import { find, readSentFields } from './field-values.ts'
import type { AnswerTimes, FieldErrors, FieldValues, SendTexts } from './form-texts.ts'
import { Receipt } from './receipt.tsx'
import { retryMessage } from './retry-message.ts'

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
  const form = host.closest('form')
  const watch = watchLength(texts, tooLong, correct)
  form?.addEventListener('input', watch)
  // What was pasted while this was loaded.
  if (form) for (const target of find(form, '.control')) watch({ target })
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
          email: values.email ?? '',
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
  return ({ target }: Pick<Event, 'target'>) => {
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

/** Milliseconds. Without it people on a bad connection would wait for ever. */
const SEND_TIMEOUT = 30_000

type Outcome = { readonly reference: string } | { readonly message: string; readonly errors: FieldErrors }

/** Sends an enquiry to one of the three calls. Never throws: the outcome has the message to show. */
export async function sendEnquiry(
  texts: SendTexts,
  path: string,
  values: FieldValues,
  recaptchaToken: string,
  idempotencyKey: string,
): Promise<Outcome> {
  const { service, ...rest } = values
  const reply = await readReply<{ reference?: string }>(() =>
    fetch(path, {
      method: 'POST',
      signal: AbortSignal.timeout(SEND_TIMEOUT),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
      body: JSON.stringify(nestDetails({ ...rest, ...(service && { service }), recaptchaToken })),
    }),
  )
  if (reply instanceof ApiError) return failed(texts, reply)
  const { reference } = reply
  // A truncated reply proves nothing; sending the enquiry again does not store it twice.
  return reference ? { reference } : { message: texts.labels.networkMessage, errors: {} }
}

function failed({ lang, labels, translated }: SendTexts, reply: ApiError): Outcome {
  const errors = translateErrors(translated, reply.errors)
  if (reply.isOffline) return { message: labels.networkMessage, errors }
  const message = translated[reply.message] ?? (reply.message || labels.failedMessage)
  return { message: retryMessage(message, reply.retryAfter, { lang, retry: labels.retry }), errors }
}

/** Minutes, to which the time is rounded up: nobody answers to the minute. */
const STEP = 15
/** Milliseconds within which the name of a weekday is enough. */
const WITHIN_A_WEEK = 6 * 24 * 60 * 60 * 1000

/**
 * When a visitor who has just written gets an answer, at the office and where they are; nothing when that is too far away.
 * @param here the visitor's time zone, by default that of the browser
 */
export function describeAnswer(
  { answer, receipt, lang }: Pick<SendTexts, 'answer' | 'receipt' | 'lang'>,
  now: Date,
  here?: string,
): string {
  const due = answer && findDue(answer, now.getTime() / 60_000)
  if (!due) return ''
  const isNear = due.getTime() - now.getTime() < WITHIN_A_WEEK
  const [day, time] = show(due, lang, isNear, answer.timeZone)
  const office = receipt.office.replace('{moment}', `${day} ${time}`).replace('{city}', answer.city)
  const [dayHere, timeHere] = show(due, lang, isNear, here)
  if (day === dayHere && time === timeHere) return office
  const moment = day === dayHere ? timeHere : `${dayHere} ${timeHere}`
  return receipt.here.replace('{office}', office).replace('{moment}', moment)
}

function findDue({ start, spans, target }: AnswerTimes, now: number): Date | null {
  let [at, left] = [start, target]
  for (const [index, span] of spans.entries()) {
    const from = Math.max(at, now)
    at += span
    if (index % 2 === 0 || at < from) continue
    if (left <= at - from) return new Date(Math.ceil((from + left) / STEP) * STEP * 60_000)
    left -= at - from
  }
  return null
}

/** A day and a time, such as "Monday" and "5 pm". */
function show(due: Date, lang: string, isNear: boolean, timeZone?: string): [day: string, time: string] {
  const date = isNear ? {} : ({ day: 'numeric', month: 'long' } as const)
  const isFull = due.toLocaleString('en', { minute: 'numeric', timeZone }) === '0'
  const minute = isFull ? {} : ({ minute: '2-digit' } as const)
  return [
    due.toLocaleDateString(lang, { weekday: 'long', ...date, timeZone }),
    due.toLocaleTimeString(lang, { hour: 'numeric', ...minute, timeZone }),
  ]
}
