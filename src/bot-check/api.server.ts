import { type ApiRouter, serveShared } from '../http/api-router.ts'
import { botCheck } from './contract.ts'

export function serveBotCheck(router: ApiRouter): void {
  serveShared(router, botCheck.read, async () => ({ recaptcha: await router.services.botCheck.settings() }))
}
