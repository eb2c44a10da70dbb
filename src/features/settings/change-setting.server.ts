import { readSignature } from '../../auth/account-emails.ts'
import { assertStillAdmin } from '../../auth/assert-still-admin.ts'
import { type AdminCall, consumeNotification, notifyAdmins } from '../../auth/notify-admins.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { isAnnounced, type SettingKey, type SettingValues } from './contract.ts'
import { findMissingKeys } from './validation.ts'

/** Writes a checked value, and notifies every admin of a change to email or a key. @throws {HttpError} 400, 429 */
export async function changeSetting<Key extends SettingKey>(
  services: Services,
  key: Key,
  value: SettingValues[Key],
  call: AdminCall,
): Promise<void> {
  const { settings, outbox } = services
  const signature = await readSignature(services)
  if (isAnnounced(key)) await consumeNotification(services, call)
  await settings.write(key, value, assertBotCheckComplete, async (transaction, before) => {
    await assertStillAdmin(transaction, call)
    if (!isAnnounced(key) || before[key] === value) return
    const { labels, sensitiveChange } = signature.texts.emails
    const change = { what: sensitiveChange.settingChanged, facts: [[labels.setting, key]] as const }
    await notifyAdmins(services, transaction, call, change, signature)
  })
  outbox.wake()
}

/** @param changed the settings as they would be after the change. @throws {HttpError} 400 */
function assertBotCheckComplete(changed: SettingValues) {
  const errors = findMissingKeys(changed)
  const [first] = Object.values(errors)
  if (first) throwHttpError(400, first, { errors })
}
