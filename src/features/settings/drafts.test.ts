import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type SettingKey, settingKeys } from './contract.ts'
import { type Drafts, findChanges, findErrors, inSafeOrder, type Saved } from './use-drafts.ts'

const saved: Saved = {
  site_name: 'Landfall',
  contact_phone: '+61 2 5550 0000',
  form_email: 'desk@agency.test',
  acknowledgement_enabled: 'false',
  recaptcha_enabled: 'false',
  recaptcha_version: 'auto',
  recaptcha_site_key: 'a-site-key',
  recaptcha_secret_key: '********Wxyz',
  mailchimp_transactional_api_key: '',
  assign_on_reply: 'true',
  content_needs_review: 'false',
  retention_enquiries_months: '84',
  retention_logs_days: '365',
  first_steps_not_needed: '',
}
const sent = (drafts: Drafts) => inSafeOrder(findChanges(settingKeys, saved, drafts)).map(([key]) => key)
const wrong = (drafts: Drafts, change: Partial<Saved> = {}) =>
  findErrors(settingKeys, { ...saved, ...change }, drafts)

suite('Drafts of settings', () => {
  test('a draft is sent only when it differs from the saved value', () => {
    const same = Object.fromEntries(settingKeys.map(key => [key, saved[key]]))
    assert.deepEqual(sent(same), [])
    assert.deepEqual(sent({}), [])
    assert.deepEqual(sent({ ...same, site_name: 'Southern Cross' }), ['site_name'])
    assert.deepEqual(sent({ recaptcha_secret_key: '' }), ['recaptcha_secret_key'])
  })

  test('the bot check is switched off before its keys are emptied, and on after they are set', () => {
    const keys: SettingKey[] = ['recaptcha_version', 'recaptcha_site_key', 'recaptcha_secret_key']
    const others = { recaptcha_version: 'v2', recaptcha_site_key: 'x', recaptcha_secret_key: 'y' } as const
    assert.deepEqual(sent({ recaptcha_enabled: 'true', ...others }), [...keys, 'recaptcha_enabled'])
    const on = { ...saved, recaptcha_enabled: 'true' } as const
    const off = inSafeOrder(findChanges(settingKeys, on, { ...others, recaptcha_enabled: 'false' }))
    assert.deepEqual(
      off.map(([key]) => key),
      ['recaptcha_enabled', ...keys],
    )
  })

  test('an invalid draft gets the error that the server would return', () => {
    assert.deepEqual(wrong({ site_name: 'ab', contact_phone: '1', form_email: 'desk' }), {
      site_name: 'Site name must be at least 3 characters',
      contact_phone: 'Contact phone must be at least 5 characters',
      form_email: 'Please enter a valid email address',
    })
    const message = 'Enter the whole key, or leave it as it is'
    assert.deepEqual(wrong({ recaptcha_secret_key: '********Wxyzz' }), { recaptcha_secret_key: message })
  })

  test('both keys are required while the bot check is on, and neither while it is off', () => {
    const emptied = { recaptcha_site_key: '', recaptcha_secret_key: '' }
    assert.deepEqual(wrong(emptied), {})
    assert.deepEqual(wrong({ recaptcha_enabled: 'true' }), {})
    const saved = { recaptcha_site_key: undefined, recaptcha_secret_key: undefined }
    assert.deepEqual(wrong({ recaptcha_enabled: 'true', ...saved }), {}, 'what is saved meanwhile counts')
    assert.deepEqual(wrong({ recaptcha_enabled: 'true', ...emptied }), {
      recaptcha_site_key: 'Site key is required',
      recaptcha_secret_key: 'Secret key is required',
    })
    assert.deepEqual(wrong({ recaptcha_site_key: ' ' }, { recaptcha_enabled: 'true' }), {
      recaptcha_site_key: 'Site key is required',
    })
  })
})
