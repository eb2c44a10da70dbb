import { isDeepStrictEqual } from 'node:util'
import { readSignature } from '../../../auth/account-emails.ts'
import {
  type AdminCall,
  assertStillAdmin,
  consumeNotification,
  notifyAdmins,
  notifyAdminsFirst,
  type SensitiveChange,
} from '../../../auth/notify-admins.ts'
import { newId } from '../../../database/id.ts'
import type { Transaction } from '../../../database/transaction.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import type { Email } from '../../../mail/email.ts'
import type { Services } from '../../../services.ts'
import type { StoredValues } from '../contract.ts'
import { readMicrosoftMailbox } from '../mail-in/connection.server.ts'
import {
  findMailSource,
  type MailProvider,
  readSaved,
  readSmtpServer,
  readWaiting,
  type WaitingProvider,
  withoutPassword,
} from './mail-health.server.ts'
import { deleteMailTests } from './mail-trial.server.ts'
import { destinationOf, findSmtpErrors, isSameAccount, passwordOf, type SmtpChange } from './smtp.ts'

/**
 * Saves a mail server, which then waits for the digits of its test email, or removes the saved one.
 * @returns how the log names it @throws {HttpError} 400, 429
 */
export async function changeSmtp(services: Services, change: SmtpChange, call: AdminCall): Promise<string> {
  const signedIn = await readMicrosoftMailbox(services)
  const after = completeServer(change, (await readSaved(services.settings)).server, signedIn)
  await changeProvider(services, 'settings', after && { kind: 'settings', server: after }, call)
  return after ? `${after.host}:${after.port}` : 'none'
}

/** Saves a key of Mailchimp, which then waits for the digits of its test email, or with '' removes the saved one. */
export async function changeMailchimpKey(services: Services, key: string, call: AdminCall): Promise<void> {
  await changeProvider(services, 'mailchimp', key === '' ? null : { kind: 'mailchimp', key }, call)
}

async function changeProvider(
  services: Services,
  kind: MailProvider['kind'],
  after: MailProvider | null,
  call: AdminCall,
): Promise<void> {
  const { settings } = services
  const used = await readUsed(services, kind)
  const isUsed = isDeepStrictEqual(after, used)
  const waiting = await readWaiting(settings)
  if (after && !isUsed) {
    if (isDeepStrictEqual(after, waiting?.provider)) return
    return await saveWaiting(services, after, call)
  }
  const isWaiting = waiting?.provider.kind === kind
  if (isUsed && !isWaiting) return await consumeNotification(services, call)
  if (isUsed) return await discardWaiting(services, call)
  // Nobody needs a test of what is removed, and the way below it is in use at once.
  const values = { [slotOf[kind]]: '', ...(isWaiting && { mail_waiting: '' }) }
  await switchWay(services, call, { name: `${slotOf[kind]} (none)`, values })
}

const slotOf = { settings: 'smtp', mailchimp: 'mailchimp_transactional_api_key' } as const

/** The provider of this kind that was confirmed. Another one may come before it. */
async function readUsed({ settings }: Services, kind: MailProvider['kind']): Promise<MailProvider | null> {
  if (kind === 'mailchimp') {
    const key = await settings.secret('mailchimp_transactional_api_key')
    return key === '' ? null : { kind, key }
  }
  const server = await readSmtpServer(settings)
  return server && { kind, server }
}

/** How emails to admins name a provider: never by its key or password. */
export function nameOf(provider: MailProvider): string {
  return provider.kind === 'mailchimp' ? 'Mailchimp Transactional' : provider.server.host
}

function factOf(provider: MailProvider): string {
  const setting = slotOf[provider.kind]
  return provider.kind === 'mailchimp'
    ? setting
    : `${setting} (${provider.server.host}:${provider.server.port})`
}

/** Nothing changes for emails before the test, so the notices go the way that is in use. */
async function saveWaiting(services: Services, provider: MailProvider, call: AdminCall): Promise<void> {
  const { settings, clock } = services
  const signature = await readSignature(services)
  await consumeNotification(services, call)
  const waiting: WaitingProvider = { id: newId(clock()), provider }
  await settings.write('mail_waiting', JSON.stringify(waiting), async transaction => {
    await assertStillAdmin(transaction, call)
    await deleteMailTests(transaction)
    const { labels, sensitiveChange } = signature.texts.emails
    const facts = [[labels.setting, factOf(provider)]] as const
    const notice = { what: sensitiveChange.settingChanged, facts }
    await notifyAdmins(services, transaction, call, notice, signature)
  })
}

export async function discardWaiting(services: Services, call: AdminCall): Promise<void> {
  await consumeNotification(services, call)
  await services.settings.write('mail_waiting', '', async transaction => {
    await assertStillAdmin(transaction, call)
    await deleteMailTests(transaction)
  })
}

/** Puts a waiting provider in use. @param isConfirmed whether the digits of its test email came back @throws {HttpError} 409 */
export async function useWaiting(
  services: Services,
  call: AdminCall,
  { id, provider }: WaitingProvider,
  isConfirmed: boolean,
): Promise<void> {
  const { config, mailHealth, mailTest, settings } = services
  const values: Partial<StoredValues> = {
    ...(provider.kind === 'mailchimp'
      ? { mailchimp_transactional_api_key: provider.key }
      : { smtp: JSON.stringify(provider.server) }),
    mail_waiting: '',
  }
  await switchWay(services, call, {
    name: factOf(provider),
    values,
    async before(transaction) {
      if ((await readWaiting(settings, transaction))?.id !== id) throwNothingWaits()
      await mailHealth.reset(transaction, provider, isConfirmed)
    },
  })
  const source = await findMailSource(config, settings)
  if (isConfirmed && isDeepStrictEqual(source, provider)) await mailTest.record(await mailTest.current())
}

export function throwNothingWaits(): never {
  throwHttpError(409, 'The mail provider has been changed meanwhile. Please look at the settings again.')
}

interface Switch {
  /** For the notices. */
  readonly name: string
  readonly values: Partial<StoredValues>
  before?(transaction: Transaction): Promise<void>
}

/** Writes what decides how emails are sent, after every admin was notified the old way. */
async function switchWay(services: Services, call: AdminCall, { name, values, before }: Switch) {
  const { outbox, settings } = services
  const signature = await readSignature(services)
  await consumeNotification(services, call)
  const { labels, sensitiveChange } = signature.texts.emails
  const change: SensitiveChange = { what: sensitiveChange.mailSwitched, facts: [[labels.setting, name]] }
  const unsent: readonly Email[] = await notifyAdminsFirst(services, call, change, signature)
  await settings.writeTogether(values, async transaction => {
    await assertStillAdmin(transaction, call)
    await before?.(transaction)
    if (values.mail_waiting === '') await deleteMailTests(transaction)
    for (const email of unsent) await outbox.add(transaction, email, null)
  })
}

/** @throws {HttpError} 400 for a server that is not complete */
function completeServer(
  change: SmtpChange,
  before: Awaited<ReturnType<typeof readSmtpServer>>,
  signedIn: string | null,
) {
  const errors = findSmtpErrors(change, withoutPassword(before), signedIn)
  const [first] = Object.values(errors)
  if (first) throwHttpError(400, first, { errors })
  const to = destinationOf(change)
  if (!to) return null
  // Nothing of it is a choice: it is the mailbox, as which Microsoft sends.
  if (to.provider === 'graph') return { ...to, user: signedIn ?? '', from: '', password: '' }
  const typed = passwordOf(change)
  const isKept = typed === '' && before !== null && isSameAccount(to, before)
  return { ...to, password: isKept ? before.password : typed }
}
