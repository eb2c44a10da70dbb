import { ApiError } from '../../http/api-client.ts'
import { call } from '../../ui/client.ts'
import { clearCodeSent, mayBePending } from './code-sent.ts'
import { signIn } from './contract.ts'

export type Step =
  | { readonly kind: 'password'; readonly notice?: string }
  | { readonly kind: 'code'; readonly name: string }
  | { readonly kind: 'signed-in' }

/**
 * How far the sign-in of this browser has come. Hints spare a visitor calls that could only be refused.
 * @throws when nobody knows whether it waits for a code
 */
export async function findStep(): Promise<Step> {
  if (document.cookie.includes('signed_in=1')) {
    const me = await call(signIn.me, {}).catch(() => null)
    if (me) return { kind: 'signed-in' }
  }
  return mayBePending() ? await findPending() : { kind: 'password' }
}

async function findPending(): Promise<Step> {
  try {
    const { user } = await call(signIn.pending, {})
    return { kind: 'code', name: user.name }
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error
    clearCodeSent()
    return { kind: 'password' }
  }
}
