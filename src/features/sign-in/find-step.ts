import { ApiError } from '../../http/api-client.ts'
import { call } from '../../ui/client.ts'
import { clearCodeSent, mayBePending } from './code-sent.ts'
import { signIn } from './contract.ts'

export type Step =
  | { readonly kind: 'password'; readonly notice?: string }
  | { readonly kind: 'code'; readonly name: string }
  | { readonly kind: 'signed-in' }

/**
 * The step of the sign-in that this browser has reached. Local hints avoid calls that would certainly be refused.
 * @throws when it is unknown whether a code is pending
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
