import { isDeepStrictEqual } from 'node:util'
import { readSignature } from '../../auth/account-emails.ts'
import { assertStillAdmin } from '../../auth/assert-still-admin.ts'
import { type AdminCall, consumeNotification, notifyAdmins } from '../../auth/notify-admins.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { readSmtpServer, withoutPassword } from './mail-source.server.ts'
import {
  destinationOf,
  findSmtpErrors,
  isSameAccount,
  passwordOf,
  type SmtpChange,
  type SmtpServer,
} from './smtp.ts'

/** Replaces or removes the mail server, and notifies every admin. @throws {HttpError} 400, 429 */
export async function changeSmtp(
  services: Services,
  change: SmtpChange,
  call: AdminCall,
): Promise<SmtpServer | null> {
  const { settings } = services
  const before = await readSmtpServer(settings)
  const after = completeServer(change, before)
  const signature = await readSignature(services)
  await consumeNotification(services, call)
  await settings.write('smtp', after ? JSON.stringify(after) : '', async transaction => {
    await assertStillAdmin(transaction, call)
    if (isDeepStrictEqual(after, before)) return
    const { labels, sensitiveChange } = signature.texts.emails
    const facts = [[labels.setting, `smtp (${nameOf(after)})`]] as const
    const notice = { what: sensitiveChange.settingChanged, facts }
    await notifyAdmins(services, transaction, call, notice, signature)
  })
  return after
}

/** How the log and the emails to admins name a mail server. */
export function nameOf(server: SmtpServer | null): string {
  return server ? `${server.host}:${server.port}` : 'none'
}

/** @throws {HttpError} 400 for a server that is not complete */
function completeServer(change: SmtpChange, before: SmtpServer | null): SmtpServer | null {
  const errors = findSmtpErrors(change, withoutPassword(before))
  const [first] = Object.values(errors)
  if (first) throwHttpError(400, first, { errors })
  const to = destinationOf(change)
  if (!to) return null
  const typed = passwordOf(change)
  const isKept = typed === '' && before !== null && isSameAccount(to, before)
  return { ...to, password: isKept ? before.password : typed }
}
