import * as z from 'zod/mini'
import { endpoint } from '../../http/endpoint.ts'

export const INVALID_TOKEN = 'Invalid verification token'
export const VERIFIED = 'Your email has been verified successfully!'

export const emailVerification = {
  verify: endpoint({
    method: 'GET',
    path: '/api/auth/verify-email',
    access: 'public',
    summary: 'Confirm an email address by the link in a letter',
    // Anything goes in, so that whatever is wrong with a token is answered alike.
    input: z.object({ token: z._default(z.string(), '') }),
    reply: z.object({ message: z.string() }),
  }),
}
