import { sendDigest } from '../features/enquiry-form/digest.server.ts'
import { sendAcknowledgements } from '../features/inbox/acknowledge.server.ts'
import { reopenAfterFailure } from '../features/inbox/undo-reply.server.ts'
import { sendResetLinks } from '../features/password-link/reset-links.server.ts'
import { sendLockEmails } from '../features/sign-in/wrong-passwords.server.ts'
import type { Services } from '../services.ts'

/**
 * Adds emails that become due at a certain time, not by a request: the outbox creates them before each poll. Also says what
 * happens when an email is given up.
 */
export function scheduleDueEmails(services: Services): void {
  const { outbox } = services
  outbox.afterFailure((transaction, row) => reopenAfterFailure(transaction, services, row))
  services.outbox.beforePoll(() => sendDigest(services))
  services.outbox.beforePoll(() => sendAcknowledgements(services))
  services.outbox.beforePoll(() => sendLockEmails(services))
  services.outbox.beforePoll(() => sendResetLinks(services))
}
