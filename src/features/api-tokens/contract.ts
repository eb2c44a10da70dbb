import * as z from 'zod/mini'
import { Empty, singleLine } from '../../http/common-schemas.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { OpenApiDocument } from '../../http/openapi/openapi.ts'

/** The types of new tokens, the usual one first. */
export const tokenTypes = ['api', 'mobile', 'web', 'integration'] as const
export type TokenType = (typeof tokenTypes)[number]

export const typeLabels: Record<TokenType | 'legacy', string> = {
  api: 'API Access',
  mobile: 'Mobile App',
  web: 'Web App',
  integration: 'External Integration',
  legacy: 'Legacy',
}

/** Days. */
export const lifetimes = [7, 30, 90, 365, 730] as const
export type Lifetime = (typeof lifetimes)[number]

export const lifetimeLabels: Record<Lifetime, string> = {
  7: '7 days',
  30: '30 days',
  90: '90 days',
  365: '1 year',
  730: '2 years',
}

export const DEFAULT_LIFETIME: Lifetime = 90

export const MAX_DESCRIPTION_LENGTH = 200
/** Of one user, expired ones included: more than anybody keeps apart, and all are shown in one list. */
export const MAX_TOKENS = 200

const ApiToken = z.object({
  id: z.string(),
  description: z.string(),
  token_type: z.enum([...tokenTypes, 'legacy']),
  last_used_at: z.nullable(z.string()),
  expires_at: z.string(),
})
export type ApiToken = z.output<typeof ApiToken>

const NewApiToken = z.object({
  ...z.omit(ApiToken, { last_used_at: true }).shape,
  /** The secret, which is returned only once. */
  token: z.string(),
})
export type NewApiToken = z.output<typeof NewApiToken>

const Id = z.uuid('There is no such id')

const CreateToken = z.strictObject({
  userId: Id,
  description: singleLine(1, 'Please enter a description', MAX_DESCRIPTION_LENGTH, 'Description'),
  expiresInDays: z.literal([...lifetimes], `Expiration must be one of ${lifetimes.join(', ')} days`),
  tokenType: z.enum(tokenTypes, `Token type must be one of ${tokenTypes.join(', ')}`),
})
export type CreateToken = z.output<typeof CreateToken>

export const apiTokens = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/tokens/:userId',
    access: 'tokens',
    tokenAuth: 'denied',
    summary: 'List a user’s tokens',
    input: z.strictObject({ userId: Id }),
    reply: z.object({ tokens: z.array(ApiToken) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/admin/tokens',
    access: 'tokens',
    summary: 'Create a token',
    tokenAuth: 'denied',
    input: CreateToken,
    reply: z.object({ token: NewApiToken }),
    status: 201,
    stale: ['/api/admin/tokens'],
    errorStatuses: [404, 409],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/admin/tokens/:tokenId',
    access: 'tokens',
    tokenAuth: 'denied',
    summary: 'Revoke a token',
    input: z.strictObject({ tokenId: Id }),
    reply: Empty,
    stale: ['/api/admin/tokens'],
  }),
}

export const apiReference = {
  read: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    // It describes the API and holds no stored data; a program reads it before it has a token.
    access: 'public',
    summary: 'Read this reference as OpenAPI 3.1',
    input: Empty,
    reply: z.custom<OpenApiDocument>(),
    isDocument: true,
    // It changes only with a new version.
    maxAge: 300,
  }),
}
