import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import { changeMailchimpKey } from './change-provider.server.ts'
import { changeSetting } from './change-setting.server.ts'
import { isSecret, type SecretKey, type Setting, type SettingKey, settingKeys, settings } from './contract.ts'
import { readSaved } from './mail-source.server.ts'
import { looksMasked, maskSecret } from './mask.ts'
import { serveSmtp } from './smtp.server.ts'
import type { Settings } from './store.server.ts'
import { serveTestEmail } from './test-email.server.ts'
import { checkValue, WHOLE_SECRET } from './validation.ts'

export function serveSettings(router: ApiRouter): void {
  const { settings: store } = router.services

  serve(router, settings.list, async () => {
    const values = await store.publicValues()
    const read = async (key: SettingKey) => (isSecret(key) ? await readSecret(store, key) : values[key])
    return { settings: await Promise.all(settingKeys.map(async key => show(key, await read(key)))) }
  })

  serveSmtp(router)

  serve(router, settings.change, async ({ key: name, value }, call) => {
    const key =
      settingKeys.find(settingKey => settingKey === name) ?? throwHttpError(404, 'There is no such setting')
    if (isSecret(key) && looksMasked(value)) {
      if (value === maskSecret(await readSecret(store, key))) return { setting: { key, value } }
      throwFieldError('value', WHOLE_SECRET)
    }
    const checked = checkValue(key, value)
    if ('error' in checked) return throwFieldError('value', checked.error)
    if (key === 'mailchimp_transactional_api_key')
      await changeMailchimpKey(router.services, checked.value, call)
    else await changeSetting(router.services, key, checked.value, call)
    // The key and the admin, and no value that could be secret or personal.
    const state = key === 'content_needs_review' ? { value: checked.value } : {}
    call.log('info', 'API', 'Setting changed', { setting: key, ...state })
    return { setting: show(key, checked.value) }
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

function throwFieldError(field: string, message: string): never {
  throwHttpError(400, message, { errors: { [field]: message } })
}
