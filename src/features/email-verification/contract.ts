import * as z from 'zod/mini'
import { endpoint } from '../../http/endpoint.ts'

export const INVALID_TOKEN = 'Invalid verification token'
export const VERIFIED = 'Your email has been verified successfully!'

export const emailVerification = {
  verify: endpoint({
    method: 'GET',
    path: '/api/auth/verify-email',
    access: 'public',
    summary: 'Confirm an email address with the link from an email',
    // Accepts any text, so that every invalid token gets the same reply.
    input: z.object({ token: z._default(z.string(), '') }),
    reply: z.object({ message: z.string() }),
  }),
}
