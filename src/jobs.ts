import { deleteExpiredUploads } from './attachments/uploads.server.ts'
import { deleteExpiredPasswordLinks } from './auth/password-link.ts'
import { deleteExpiredSessions } from './auth/session.ts'
import { deleteExpiredLinks } from './features/email-verification/api.server.ts'
import { sendDigest } from './features/enquiry-form/notices/digest.server.ts'
import {
  deleteOldAcknowledgements,
  sendAcknowledgements,
} from './features/inbox/acknowledgements/acknowledge.server.ts'
import { deleteOldNotices, sendNoticeEmails } from './features/inbox/notices/notices.server.ts'
import { deleteExpiredPresence } from './features/inbox/presence/presence.server.ts'
import { sendScheduled } from './features/inbox/replies/scheduled.server.ts'
import { reopenAfterFailure } from './features/inbox/replies/undo-reply.server.ts'
import { sendResetLinks } from './features/password-link/reset-links.server.ts'
import { deleteUnseenBrowsers } from './features/sign-in/known-browser.server.ts'
import { deleteExpired } from './features/sign-in/store.server.ts'
import { deleteOldAttempts, sendLockEmails } from './features/sign-in/wrong-passwords.server.ts'
import { answerVisitorRequests, deleteExpiredVisitorCodes } from './features/status/codes.server.ts'
import { deleteExpiredVisitorTokens } from './features/status/tokens.server.ts'
import { deleteUnusedNames } from './features/users/store.server.ts'
import { deleteExpiredKeys } from './http/idempotency-store.ts'
import { deleteExpiredWindows } from './http/limits/postgres-rate-limiter.ts'
import { deleteOldChanges } from './live/record-change.server.ts'
import { describeError } from './log/logger.ts'
import type { Services } from './services.ts'

/** Deletes what has expired. */
export async function deleteExpiredRows(services: Services) {
  const { db, clock, sharedClock, log } = services
  try {
    await deleteExpiredSessions(db, clock)
    await deleteExpired(db, clock)
    await deleteExpiredKeys(db, clock)
    await deleteExpiredLinks(db, clock)
    await deleteExpiredPasswordLinks(db, clock)
    await deleteExpiredVisitorTokens(services)
    await deleteExpiredVisitorCodes(services)
    await deleteUnseenBrowsers(db, clock)
    await deleteOldAttempts(db, clock)
    await deleteExpiredWindows(db, clock)
    await deleteExpiredPresence(db, sharedClock.now)
    await deleteOldAcknowledgements(services)
    await deleteExpiredUploads(services)
    await deleteOldChanges(db, clock)
    await deleteOldNotices(db, clock)
    await deleteUnusedNames(db, clock)
  } catch (error) {
    log('warning', 'API', 'Expired rows not deleted', describeError(error))
  }
}

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
  services.outbox.beforePoll(() => sendScheduled(services))
  services.outbox.beforePoll(() => sendNoticeEmails(services))
  services.outbox.beforePoll(() => sendResetLinks(services))
  services.outbox.beforePoll(() => answerVisitorRequests(services))
}
