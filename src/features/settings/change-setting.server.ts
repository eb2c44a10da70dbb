import { readSignature } from '../../auth/account-emails.ts'
import { assertStillAdmin } from '../../auth/assert-still-admin.ts'
import { type AdminCall, consumeNotification, notifyAdmins } from '../../auth/notify-admins.ts'
import type { Database } from '../../database/tables.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { isAnnounced, isSecret, type SettingKey, type SettingValues, type StoredValues } from './contract.ts'
import type { Settings } from './store.server.ts'
import { findMissingKeys } from './validation.ts'

/** Writes a checked value, and notifies every admin of a change to email or a key. @throws {HttpError} 400, 429 */
export async function changeSetting<Key extends SettingKey>(
  services: Services,
  key: Key,
  value: StoredValues[Key],
  call: AdminCall,
): Promise<void> {
  const { settings } = services
  if (key === 'acknowledgement_enabled' && value === 'true') await assertMailWorks(services)
  const signature = await readSignature(services)
  if (isAnnounced(key)) await consumeNotification(services, call)
  await settings.write(key, value, async transaction => {
    await assertBotCheckComplete(settings, transaction, { [key]: value })
    await assertStillAdmin(transaction, call)
    if (!isAnnounced(key) || (await readSetting(settings, key, transaction)) === value) return
    const { labels, sensitiveChange } = signature.texts.emails
    const change = { what: sensitiveChange.settingChanged, facts: [[labels.setting, key]] as const }
    await notifyAdmins(services, transaction, call, change, signature)
  })
}

/** @throws {HttpError} 400 before anybody has seen that emails can be sent */
async function assertMailWorks({ mail, mailTest }: Services) {
  const isSetUp = (await mail.transport()) !== 'mailbox'
  if (isSetUp && (await mailTest.isPassed())) return
  throwHttpError(400, isSetUp ? TEST_FIRST : SET_UP_FIRST, {
    errors: { value: isSetUp ? TEST_FIRST : SET_UP_FIRST },
  })
}

const SET_UP_FIRST = 'Set up a mail provider first: visitors cannot read emails that stay on this server'
const TEST_FIRST = 'Send a test email first, so that you know that visitors get this one'

async function readSetting(settings: Settings, key: SettingKey, from: Database): Promise<string> {
  return isSecret(key) ? await settings.secret(key, from) : (await settings.publicValues(from))[key]
}

/** @throws {HttpError} 400 for a change after which the bot check would be on without its keys */
async function assertBotCheckComplete(
  settings: Settings,
  transaction: Database,
  change: Partial<SettingValues>,
) {
  const errors = findMissingKeys({
    ...(await settings.publicValues(transaction)),
    recaptcha_secret_key: await settings.secret('recaptcha_secret_key', transaction),
    ...change,
  })
  const [first] = Object.values(errors)
  if (first) throwHttpError(400, first, { errors })
}
