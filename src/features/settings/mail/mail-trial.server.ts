import { hashCode, isCodeRight, newCode } from '../../../auth/six-digits.ts'
import type { Database } from '../../../database/tables.ts'
import type { DeliveryError } from '../../../mail/mail.ts'
import { isoAfter, minutes } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'

/** The test of a provider that waits to be used: an email with six digits, and what became of it. */

/** A provider may take its time, and the email may be among the spam. */
export const DIGITS_LIFETIME = minutes(15)
/** Wrong digits after which only another test email helps. */
const MAX_WRONG_DIGITS = 5

/** The digits of a test email that goes to `sentTo` through the waiting provider with this id. */
export interface Trial {
  readonly id: string
  readonly sentTo: string
  readonly code: string
}

export const newTrial = (id: string, sentTo: string): Trial => ({ id, sentTo, code: newCode() })

/**
 * Records what became of a test email. Its digits count once the provider has it, and also when it was late to answer: the
 * email may still arrive. After a failure those of an earlier email still count.
 */
export async function recordTrial(
  { db, clock, keys }: Services,
  { id, sentTo, code }: Trial,
  failure: DeliveryError | null,
): Promise<void> {
  const mayArrive = !failure || failure.isLate || failure.isUnconfirmed
  const row = {
    sent_to: sentTo,
    tested_at: isoAfter(clock),
    reason: failure?.message ?? null,
    problem: failure?.problem ?? null,
    ...(mayArrive && {
      code_hash: hashCode(keys.mailTest, id + code),
      expires_at: isoAfter(clock, DIGITS_LIFETIME),
      wrong_codes: 0,
    }),
  }
  await db
    .insertInto('mail_tests')
    .values({ id, code_hash: null, expires_at: null, wrong_codes: 0, ...row })
    .onConflict(conflict => conflict.column('id').doUpdateSet(row))
    .execute()
}

export async function readTrial({ db, clock }: Services, id: string) {
  const row = await db.selectFrom('mail_tests').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return null
  const { sent_to: to, tested_at: at, code_hash, expires_at, wrong_codes, reason, problem } = row
  const isOpen = code_hash !== null && (expires_at ?? '') > isoAfter(clock) && wrong_codes < MAX_WRONG_DIGITS
  return { to, at, isOpen, reason, code: problem && `mail_${problem}` }
}

/** Consumes an attempt before the digits are compared, so that concurrent guesses cannot exceed the limit. */
export async function areDigitsRight({ db, clock, keys }: Services, id: string, code: string) {
  const row = await db
    .updateTable('mail_tests')
    .set(eb => ({ wrong_codes: eb('wrong_codes', '+', 1) }))
    .where('id', '=', id)
    .where('wrong_codes', '<', MAX_WRONG_DIGITS)
    .where('expires_at', '>', isoAfter(clock))
    .returning('code_hash')
    .executeTakeFirst()
  return Boolean(row?.code_hash) && isCodeRight(keys.mailTest, id + code, row?.code_hash ?? '')
}

/** One provider waits at most, and what was found out about another no longer matters. */
export async function deleteMailTests(transaction: Database): Promise<void> {
  await transaction.deleteFrom('mail_tests').execute()
}
