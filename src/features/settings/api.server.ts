import { refuse } from '../../http/problem.ts'
import { type Door, serve } from '../../http/serve.ts'
import {
  isSecret,
  type Setting,
  type SettingKey,
  type SettingValues,
  settingKeys,
  settings,
} from './contract.ts'
import { looksMasked, maskSecret } from './mask.ts'
import { checkValue, findMissingKeys, WHOLE_SECRET } from './rules.ts'
import { serveTestEmail } from './test-email.server.ts'

export function serveSettings(door: Door): void {
  const { settings: kept } = door.services

  serve(door, settings.list, async () => {
    const values = await kept.read()
    return { settings: settingKeys.map(key => show(key, values[key])) }
  })

  serve(door, settings.change, async ({ key: name, value }, { log }) => {
    const key = settingKeys.find(known => known === name) ?? refuse(404, 'There is no such setting')
    const before = await kept.read()
    if (isSecret(key) && looksMasked(value)) {
      if (value === maskSecret(before[key])) return { setting: show(key, before[key]) }
      refuseField('value', WHOLE_SECRET)
    }
    const checked = checkValue(key, value)
    if ('error' in checked) return refuseField('value', checked.error)
    await kept.write(key, checked.value, refuseIncompleteBotCheck)
    // Which one and by whom, never what it is now.
    log('info', 'API', 'A setting was changed', { setting: key })
    return { setting: show(key, checked.value) }
  })

  serveTestEmail(door)
}

function show(key: SettingKey, value: string): Setting {
  return { key, value: isSecret(key) ? maskSecret(value) : value }
}

/** @param then the settings as they would be. @throws {Problem} 400 */
function refuseIncompleteBotCheck(then: SettingValues) {
  const errors = findMissingKeys(then)
  const [first] = Object.values(errors)
  if (first) refuse(400, first, { errors })
}

function refuseField(field: string, message: string): never {
  refuse(400, message, { errors: { [field]: message } })
}
