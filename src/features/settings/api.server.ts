import { readSignature } from '../../auth/account-emails.ts'
import {
  type AdminCall,
  assertStillAdmin,
  consumeNotification,
  notifyAdmins,
} from '../../auth/notify-admins.ts'
import type { Database } from '../../database/tables.ts'
import { type ApiRouter, type HandlerContext, serve } from '../../http/api-router.ts'
import { HttpError, throwFieldError, throwHttpError } from '../../http/http-error.ts'
import type { EmailSignature } from '../../mail/email.ts'
import type { Services } from '../../services.ts'
import { publishChange, reasonOf } from '../content-editor/publishing/publish-change.server.ts'
import {
  type DetailKey,
  isAnnounced,
  isDetail,
  isSecret,
  looksMasked,
  maskSecret,
  retentionKeys,
  type SecretKey,
  type Setting,
  type SettingKey,
  type SettingValues,
  type StoredValues,
  settingKeys,
  settings,
} from './contract.ts'
import { changeMailchimpKey } from './mail/change-provider.server.ts'
import { readSaved } from './mail/mail-health.server.ts'
import { serveSmtp } from './mail/smtp.server.ts'
import { serveTestEmail } from './mail/test-email.server.ts'
import { serveMailIn } from './mail-in/api.server.ts'
import type { Settings } from './store.server.ts'
import { checkValue, findMissingKeys, WHOLE_SECRET } from './validation.ts'

export function serveSettings(router: ApiRouter): void {
  const { settings: store, config, fileSpace } = router.services

  serve(router, settings.address, async (_, call) => ({
    publicUrl: config.publicUrl,
    isProxyIgnored: config.trustProxy === 0 && call.header('x-forwarded-for') !== undefined,
  }))

  serve(router, settings.list, async () => {
    const values = await store.publicValues()
    const read = async (key: SettingKey) => (isSecret(key) ? await readSecret(store, key) : values[key])
    const [listed, space] = await Promise.all([
      Promise.all(settingKeys.map(async key => show(key, await read(key)))),
      fileSpace.read(),
    ])
    return { settings: listed, fileSpaceUsed: space.used }
  })

  serveSmtp(router)
  serveMailIn(router)

  serve(router, settings.change, async ({ key: name, value }, call) => {
    const key =
      settingKeys.find(settingKey => settingKey === name) ?? throwHttpError(404, 'There is no such setting')
    if (isSecret(key) && looksMasked(value)) {
      if (value === maskSecret(await readSecret(store, key))) return { setting: { key, value } }
      throwFieldError('value', WHOLE_SECRET)
    }
    const checked = checkValue(key, value)
    if ('error' in checked) return throwFieldError('value', checked.error)
    const review = isDetail(key) ? await changeDetail(router.services, key, checked.value, call) : null
    if (key === 'mailchimp_transactional_api_key')
      await changeMailchimpKey(router.services, checked.value, call)
    else if (!isDetail(key)) await changeSetting(router.services, key, checked.value, call)
    // The key and the admin, and no value that could be secret or personal.
    const state = key === 'content_needs_review' ? { value: checked.value } : {}
    call.log('info', 'API', 'Setting changed', { setting: key, ...state })
    if (review !== 'requested') return { setting: show(key, checked.value) }
    return { setting: show(key, await readSetting(store, key)), review }
  })

  serveTestEmail(router)
}

/** The secret that was entered last: a key of Mailchimp may still wait for its test. */
async function readSecret(store: Settings, key: SecretKey): Promise<string> {
  return key === 'mailchimp_transactional_api_key' ? (await readSaved(store)).key : await store.secret(key)
}

function show(key: SettingKey, value: string): Setting {
  return { key, value: isSecret(key) ? maskSecret(value) : value }
}

const fieldOf = { site_name: 'siteName', contact_phone: 'phone' } as const satisfies Record<DetailKey, string>

/** Publishes it with the site. @throws {HttpError} 400 with what is wrong with `value`, 409, 429 */
async function changeDetail(
  services: Services,
  key: DetailKey,
  value: string,
  call: HandlerContext<'settings', 'denied'>,
) {
  if ((await services.settings.publicValues())[key] === value) return 'published'
  const field = fieldOf[key]
  try {
    const { state } = await publishChange(
      services,
      {
        id: services.content.read().siteId,
        note: 'Changed in the settings',
        apply: site => ({ ...site, company: { ...Object(site.company), [field]: value } }),
        before: async transaction => await assertStillAdmin(transaction, call),
      },
      call,
    )
    return state
  } catch (error) {
    if (!(error instanceof HttpError) || ![400, 422].includes(error.status)) throw error
    throwFieldError('value', reasonOf(error, `company.${field}`))
  }
}

/** Writes a checked value, and notifies every admin of a change to email or a key. @throws {HttpError} 400, 429 */
async function changeSetting<Key extends Exclude<SettingKey, DetailKey>>(
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
    if (!isAnnounced(key)) return
    const before = await readSetting(settings, key, transaction)
    if (before === value) return
    await notifyAdmins(services, transaction, call, describeChange(key, before, value, signature), signature)
  })
}

/** What a retention period was and is, and nothing of other values: they may be secret or personal. */
function describeChange(key: SettingKey, before: string, after: string, { texts }: EmailSignature) {
  const { labels, sensitiveChange } = texts.emails
  const setting = [labels.setting, key] as const
  if (!retentionKeys.some(each => each === key))
    return { what: sensitiveChange.settingChanged, facts: [setting] }
  const periods = [labels.was, before] as const
  const facts = [
    setting,
    periods,
    [labels.is, after],
    [labels.effect, sensitiveChange.retentionEffect],
  ] as const
  return { what: sensitiveChange.retentionChanged, facts }
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

async function readSetting(settings: Settings, key: SettingKey, from?: Database): Promise<string> {
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
