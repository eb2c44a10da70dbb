import { type ApiRouter, serve } from '../../http/api-router.ts'
import type { Services } from '../../services.ts'
import { changeSmtp, nameOf } from './change-smtp.server.ts'
import { type MailState, settings } from './contract.ts'
import {
  findMailSource,
  type MailSource,
  readSmtpServer,
  senderOf,
  withoutPassword,
} from './mail-source.server.ts'

/** Call it before the settings by key are served, whose path would include these. */
export function serveSmtp(router: ApiRouter): void {
  const { services } = router

  serve(router, settings.mail, async () => await readMailState(services))

  serve(router, settings.changeMail, async (change, call) => {
    const server = await changeSmtp(services, change, call)
    call.log('info', 'API', 'Setting changed', { setting: 'smtp', server: nameOf(server) })
    return await readMailState(services)
  })
}

async function readMailState({ config, settings: store, mailTest }: Services): Promise<MailState> {
  const source = await findMailSource(config, store)
  return {
    source: source.kind,
    sender: senderFrom(source, config.mailFrom),
    isTested: await mailTest.isPassed(),
    smtp: withoutPassword(await readSmtpServer(store)),
  }
}

function senderFrom(source: MailSource, mailFrom: string): string {
  return source.kind === 'settings' ? senderOf(source.server) : mailFrom
}
