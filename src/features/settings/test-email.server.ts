import { minutes, seconds } from '../../clock.ts'
import { refuse } from '../../http/problem.ts'
import { type Door, serve } from '../../http/serve.ts'
import { describeError } from '../../log.ts'
import { composeLetter } from '../../mail/letter.ts'
import { MailRefused } from '../../mail/mail.ts'
import { settings } from './contract.ts'

/** A person is waiting for the provider's answer. */
const PATIENCE = seconds(10)
/** Enough to try a key, correct it and try again; too few to annoy a provider. */
const TESTS_PER_ACCOUNT = { name: 'test letters', count: 5, per: minutes(5) }

/** One letter to whoever asks, so that they see whether mail arrives, or what the provider has against it. */
export function serveTestEmail(door: Door): void {
  const { mail, settings: kept, limits, signature } = door.services

  serve(door, settings.testEmail, async (_input, { user, log }) => {
    await limits.spend(TESTS_PER_ACCOUNT, user.id)
    const { site_name: siteName } = await kept.read()
    const letter = composeLetter(
      {
        to: user.email,
        subject: `Test letter from ${siteName}`,
        opening: `${user.name} has sent this letter from the settings of the staff portal. Since you read it, mail arrives.`,
      },
      signature(siteName),
    )
    try {
      const transport = await mail.send(letter, PATIENCE)
      log('info', 'EmailService', 'A test letter was sent', { transport })
      return { to: user.email, transport }
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error
      log('warning', 'EmailService', 'A test letter could not be sent', { error: describeError(error).error })
      return refuse(503, error.message, { retryAfter: 60 })
    }
  })
}
