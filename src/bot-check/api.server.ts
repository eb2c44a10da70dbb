import { type Door, serve } from '../http/serve.ts'
import { botCheck } from './contract.ts'

export function serveBotCheck(door: Door): void {
  serve(door, botCheck.read, async () => ({ recaptcha: await door.services.botCheck.settings() }))
}
