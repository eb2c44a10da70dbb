import { type ApiRouter, serve } from '../../../http/api-router.ts'
import { throwHttpError } from '../../../http/http-error.ts'
import { minutes } from '../../../platform/clock.ts'
import type { Services } from '../../../services.ts'
import { type MailState, settings, type WaitingView } from '../contract.ts'
import { readMicrosoftMailbox, readNoMailSince } from '../mail-in/connection.server.ts'
import {
  changeSmtp,
  discardWaiting,
  nameOf,
  throwNothingWaits,
  useWaiting,
} from './change-provider.server.ts'
import {
  findMailSource,
  type MailSource,
  readSaved,
  readWaiting,
  senderOf,
  withoutPassword,
} from './mail-health.server.ts'
import { areDigitsRight, readTrial } from './mail-trial.server.ts'

/** As for sign-in codes. */
const WRONG_DIGITS_PER_ACCOUNT = { name: 'wrong digits of test emails', count: 10, per: minutes(15) }
const WRONG_DIGITS = 'These are not the digits of the newest test email, or they have expired'
/** Enough to know whom to ask. */
const ADMINS_NAMED = 3

/** Call it before the settings by key are served, whose path would include these. */
export function serveSmtp(router: ApiRouter): void {
  const { services } = router

  serve(router, settings.mail, async () => await readMailState(services))

  serve(router, settings.changeMail, async (change, call) => {
    const server = await changeSmtp(services, change, call)
    call.log('info', 'API', 'Setting changed', { setting: 'smtp', server })
    return await readMailState(services)
  })

  serve(router, settings.confirmMail, async ({ code }, call) => {
    const waiting = (await readWaiting(services.settings)) ?? throwNothingWaits()
    // Counted as wrong before it is checked, so that concurrent guesses cannot exceed the limit.
    await services.rateLimiter.consume(WRONG_DIGITS_PER_ACCOUNT, call.user.id)
    if (!(await areDigitsRight(services, waiting.id, code))) {
      call.log('warning', 'EmailService', 'Wrong digits of a test email entered')
      throwHttpError(400, WRONG_DIGITS, { errors: { code: WRONG_DIGITS } })
    }
    await services.rateLimiter.refund(WRONG_DIGITS_PER_ACCOUNT, call.user.id)
    await useWaiting(services, call, waiting, true)
    call.log('info', 'EmailService', 'Mail provider confirmed and in use', {
      provider: nameOf(waiting.provider),
    })
    return await readMailState(services)
  })

  serve(router, settings.useMail, async (_input, call) => {
    const waiting = (await readWaiting(services.settings)) ?? throwNothingWaits()
    await useWaiting(services, call, waiting, false)
    const provider = nameOf(waiting.provider)
    call.log('warning', 'EmailService', 'Mail provider in use without its test', { provider })
    return await readMailState(services)
  })

  serve(router, settings.discardMail, async (_input, call) => {
    await discardWaiting(services, call)
    call.log('info', 'EmailService', 'Waiting mail provider discarded')
    return await readMailState(services)
  })

  serve(router, settings.mailStatus, async (_input, { permissions }) => {
    const { state, since, reason } = await services.mailHealth.read()
    const mayChange = permissions.includes('settings')
    return {
      state,
      since,
      reason: mayChange ? reason : null,
      isWaiting: mayChange ? (await readWaiting(services.settings)) !== null : null,
      admins: state === 'working' ? [] : await listAdmins(services),
      noMailSince: await readNoMailSince(services),
    }
  })
}

async function listAdmins({ db }: Services): Promise<string[]> {
  const admins = db
    .selectFrom('users')
    .select('name')
    .where('role', '=', 'admin')
    .where('password_hash', '!=', '')
  return (await admins.orderBy('id').limit(ADMINS_NAMED).execute()).map(({ name }) => name)
}

async function readMailState(services: Services): Promise<MailState> {
  const { config, settings: store, mailTest, mailHealth } = services
  const source = await findMailSource(config, store)
  const { state, since, reason } = await mailHealth.read()
  return {
    source: source.kind,
    sender: senderFrom(source, config.mailFrom),
    host: source.kind === 'settings' ? source.server.host : null,
    isTested: await mailTest.isPassed(),
    ...{ state, since, reason },
    waiting: await readWaitingView(services),
    smtp: withoutPassword((await readSaved(store)).server),
    microsoftMailbox: await readMicrosoftMailbox(services),
  }
}

async function readWaitingView(services: Services): Promise<WaitingView | null> {
  const waiting = await readWaiting(services.settings)
  if (!waiting) return null
  const { id, provider } = waiting
  return { kind: provider.kind, name: nameOf(provider), test: await readTrial(services, id) }
}

function senderFrom(source: MailSource, mailFrom: string): string {
  return source.kind === 'settings' ? senderOf(source.server) : mailFrom
}
