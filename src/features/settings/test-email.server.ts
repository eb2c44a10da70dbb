import { minutes, seconds } from '../../clock.ts'
import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { describeError } from '../../log/logger.ts'
import { renderEmail } from '../../mail/email.ts'
import { DeliveryError } from '../../mail/mail.ts'
import { settings } from './contract.ts'

/** A person is waiting for the provider's answer. */
const SEND_TIMEOUT = seconds(10)
/** Enough to try a key, correct it and try again; too few to annoy a provider. */
const TESTS_PER_ACCOUNT = { name: 'test letters', count: 5, per: minutes(5) }

/** One letter to whoever asks, so that they see whether mail arrives, or what the provider has against it. */
export function serveTestEmail(router: ApiRouter): void {
  const { mail, settings: kept, rateLimiter, emailSignature } = router.services

  serve(router, settings.testEmail, async (_input, { user, log }) => {
    await rateLimiter.consume(TESTS_PER_ACCOUNT, user.id)
    const { site_name: siteName } = await kept.read()
    const email = renderEmail(
      {
        to: user.email,
        subject: `Test letter from ${siteName}`,
        opening: `${user.name} has sent this letter from the settings of the staff portal. Since you read it, mail arrives.`,
      },
      emailSignature(siteName),
    )
    try {
      const transport = await mail.send(email, SEND_TIMEOUT)
      log('info', 'EmailService', 'A test letter was sent', { transport })
      return { to: user.email, transport }
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error
      log('warning', 'EmailService', 'A test letter could not be sent', { error: describeError(error).error })
      return throwHttpError(503, error.message, { retryAfter: 60 })
    }
  })
}
