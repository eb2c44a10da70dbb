import { type ApiRouter, type HandlerContext, serve } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { describeError } from '../../../log/logger.ts'
import { type EmailContent, renderEmail } from '../../../mail/email.ts'
import { AWAITED_EMAIL, DeliveryError } from '../../../mail/mail.ts'
import { hours, minutes } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { settings, type TestEmailResult } from '../contract.ts'
import { nameOf } from './change-provider.server.ts'
import { readWaiting, type WaitingProvider } from './mail-health.server.ts'
import { DIGITS_LIFETIME, newTrial, recordTrial } from './mail-trial.server.ts'

/** Enough to try a key, correct it and try again; too few to annoy a provider, or to look for servers with. */
const TESTS_PER_ACCOUNT = { name: 'test emails', count: 5, per: minutes(5) }
const TESTS_PER_HOUR = { name: 'test emails an hour', count: 30, per: hours(1) }

type Call = HandlerContext<'settings', 'denied'>

/**
 * Sends one email to the caller, so that they see whether email is delivered, or the provider's error. Through a provider
 * that waits, it has the digits with which it is put in use.
 */
export function serveTestEmail(router: ApiRouter): void {
  const { services } = router

  serve(router, settings.testEmail, async (_input, call) => {
    await services.rateLimiter.consume(TESTS_PER_ACCOUNT, call.user.id)
    await services.rateLimiter.consume(TESTS_PER_HOUR, call.user.id)
    const waiting = await readWaiting(services.settings)
    try {
      const result = waiting ? await tryWaiting(services, waiting, call) : await tryCurrent(services, call)
      const { transport, digits } = result
      call.log('info', 'EmailService', 'Test email sent', { transport, isInUse: !digits })
      return result
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error
      const reason = describeError(error).error
      call.log('warning', 'EmailService', 'Test email could not be sent', {
        error: reason,
        isInUse: !waiting,
      })
      const code = error.problem ? { code: `mail_${error.problem}` } : {}
      return throwHttpError(503, error.message, { retryAfter: 60, ...code })
    }
  })
}

async function tryCurrent(services: Services, { user }: Call): Promise<TestEmailResult> {
  const { mail, mailTest } = services
  const email = await compose(services, (texts, siteName) => ({
    to: user.email,
    subject: texts.test.subject(siteName),
    opening: texts.test.opening(user.name),
  }))
  const way = await mailTest.current()
  const transport = await mail.send(email, AWAITED_EMAIL)
  if (transport !== 'mailbox') await mailTest.record(way)
  return { to: user.email, transport, digits: false }
}

async function tryWaiting(services: Services, { id, provider }: WaitingProvider, { user, address }: Call) {
  const { config, mail, transportOf } = services
  const trial = newTrial(id, user.email)
  const email = await compose(services, ({ trial: texts, labels }, siteName) => ({
    to: user.email,
    subject: texts.subject(siteName),
    opening: texts.opening(user.name),
    facts: [
      [texts.installation, config.publicUrl],
      [texts.provider, nameOf(provider)],
      [texts.askedBy, `${user.name} (${user.email})`],
      [labels.networkAddress, address],
    ],
    code: trial.code,
    closing: texts.closing(DIGITS_LIFETIME / minutes(1)),
  }))
  const transport = transportOf(provider)
  try {
    await mail.sendBy(transport, email, AWAITED_EMAIL)
  } catch (error) {
    if (error instanceof DeliveryError) await recordTrial(services, trial, error)
    throw error
  }
  await recordTrial(services, trial, null)
  return { to: user.email, transport: transport.kind, digits: true }
}

async function compose(
  { settings: store, emailSignature }: Services,
  contentOf: (texts: ReturnType<Services['textsFor']>['emails'], siteName: string) => EmailContent,
) {
  const { site_name: siteName } = await store.publicValues()
  const signature = emailSignature(siteName)
  return renderEmail(contentOf(signature.texts.emails, siteName), signature)
}
