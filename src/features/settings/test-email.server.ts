import { minutes, seconds } from '../../clock.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { describeError } from '../../log/logger.ts'
import { renderEmail } from '../../mail/email.ts'
import { DeliveryError } from '../../mail/mail.ts'
import { settings } from './contract.ts'

/** Short, because a person is waiting for the result. */
const SEND_TIMEOUT = seconds(10)
/** Enough to try a key, correct it and try again; too few to annoy a provider. */
const TESTS_PER_ACCOUNT = { name: 'test emails', count: 5, per: minutes(5) }

/** Sends one email to the caller, so that they see whether email is delivered, or the provider's error. */
export function serveTestEmail(router: ApiRouter): void {
  const { mail, mailTest, settings: store, rateLimiter, emailSignature } = router.services

  serve(router, settings.testEmail, async (_input, { user, log }) => {
    await rateLimiter.consume(TESTS_PER_ACCOUNT, user.id)
    const { site_name: siteName } = await store.publicValues()
    const signature = emailSignature(siteName)
    const texts = signature.texts.emails.test
    const email = renderEmail(
      {
        to: user.email,
        subject: texts.subject(siteName),
        opening: texts.opening(user.name),
      },
      signature,
    )
    try {
      const way = await mailTest.current()
      const transport = await mail.send(email, SEND_TIMEOUT)
      if (transport !== 'mailbox') await mailTest.record(way)
      log('info', 'EmailService', 'Test email sent', { transport })
      return { to: user.email, transport }
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error
      log('warning', 'EmailService', 'Test email could not be sent', { error: describeError(error).error })
      const code = error.problem ? { code: `mail_${error.problem}` } : {}
      return throwHttpError(503, error.message, { retryAfter: 60, ...code })
    }
  })
}
