import { passwordLink } from '../../src/features/password-link/contract.ts'
import type { TestApp } from './test-app.ts'

export const NEW_PASSWORD = 'Amber-Ferry-3-Window?'

/** The link to set a password in the next email to this address. */
export async function readPasswordLink(
  { mailServer }: Pick<TestApp, 'mailServer'>,
  email: string,
): Promise<string> {
  const received = await mailServer.next(
    ({ recipients, text }) => recipients.includes(email) && (text ?? '').includes('/set-password#token='),
  )
  return /http\S+\/set-password#token=\S+/.exec(received.text ?? '')?.[0] ?? ''
}

export function tokenIn(link: string): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
}

/** Asks for a link as somebody who forgot their password. @returns the token in the email that arrives */
export async function forgetPassword(testApp: TestApp, email: string, typed = email): Promise<string> {
  await testApp.browser().call(passwordLink.request, { email: typed })
  testApp.services.outbox.wake()
  return tokenIn(await readPasswordLink(testApp, email))
}
