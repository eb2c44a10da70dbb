import { type ApiRouter, serve } from '../http/api-router.ts'
import { botCheck } from './contract.ts'

export function serveBotCheck(router: ApiRouter): void {
  serve(router, botCheck.read, async () => ({ recaptcha: await router.services.botCheck.settings() }))
}
