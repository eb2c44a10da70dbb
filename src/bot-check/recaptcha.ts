import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { describeError, type Log } from '../log/logger.ts'
import { createCircuitBreaker } from '../platform/circuit-breaker.ts'
import { type Clock, seconds } from '../platform/clock.ts'
import { ACTION } from './token.ts'

/** A visitor is waiting; after this the enquiry is accepted without the provider's result. */
const SITEVERIFY_TIMEOUT = seconds(3)

/** The provider blames the token: it is forged, used before or too old. */
const tokenErrors = new Set(['timeout-or-duplicate', 'invalid-input-response', 'missing-input-response'])

/** The provider's result; `unknown` when it cannot be reached, or not with these keys. */
export type ProviderResult =
  | { readonly kind: 'passed'; readonly score: number | null }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown'; readonly reason: 'provider_down' | 'misconfigured' }

export interface VerificationRequest {
  readonly token: string
  readonly secret: string
  readonly version: 'v2' | 'v3'
  /** The client address; an address that is a network prefix is not passed on. */
  readonly address: string
}

interface Dependencies {
  readonly verifyUrl: string
  /** The host of our forms; a token from another site is rejected. */
  readonly hostname: string
  readonly clock: Clock
  readonly log: Log
}

const PROVIDER_DOWN: ProviderResult = { kind: 'unknown', reason: 'provider_down' }
const MISCONFIGURED: ProviderResult = { kind: 'unknown', reason: 'misconfigured' }
const REFUSED: ProviderResult = { kind: 'refused' }

/** Calls Google's `siteverify`. Never throws: every failure is a `ProviderResult`. */
export function createRecaptcha(dependencies: Dependencies) {
  const { clock, log } = dependencies
  const breaker = createCircuitBreaker(clock, () =>
    log('error', 'FormService', 'The bot check is not responding; forms are accepted without it for now'),
  )
  return async (request: VerificationRequest): Promise<ProviderResult> => {
    if (!request.secret) return misconfigured(log, 'no secret key')
    const result = await breaker.run(
      () => ask(dependencies, request),
      outcome => outcome === PROVIDER_DOWN,
    )
    return result ?? PROVIDER_DOWN
  }
}

async function ask(dependencies: Dependencies, request: VerificationRequest): Promise<ProviderResult> {
  const { log } = dependencies
  try {
    return toResult(await post(dependencies.verifyUrl, request), request.version, dependencies)
  } catch (error) {
    log('warning', 'FormService', 'Bot check unavailable', { error: describeError(error).error })
    return PROVIDER_DOWN
  }
}

const SiteverifyReply = z.object({
  success: z.boolean(),
  hostname: z.optional(z.string()),
  /** Only for a v3 key. */
  action: z.optional(z.string()),
  /** From 0 (a bot) to 1; only for a v3 key. */
  score: z.optional(z.number()),
  'error-codes': z._default(z.array(z.string()), []),
})
type SiteverifyReply = z.output<typeof SiteverifyReply>

/** @throws when there is no valid reply in time. */
async function post(verifyUrl: string, { secret, token, address }: VerificationRequest) {
  const form = new URLSearchParams({ secret, response: token })
  if (isIP(address)) form.set('remoteip', address)
  const response = await fetch(verifyUrl, {
    method: 'POST',
    body: form,
    // The secret is never sent to another address than the configured one.
    redirect: 'error',
    signal: AbortSignal.timeout(SITEVERIFY_TIMEOUT),
  })
  if (!response.ok) throw new Error(`The provider answered with status ${response.status}`)
  return SiteverifyReply.parse(await response.json())
}

function toResult(
  reply: SiteverifyReply,
  version: 'v2' | 'v3',
  { hostname, log }: Dependencies,
): ProviderResult {
  if (!reply.success) return explain(reply['error-codes'], log)
  if (reply.hostname !== hostname) {
    log('warning', 'FormService', 'Bot-check token made on another site than PUBLIC_URL names', {
      hostname: reply.hostname,
    })
    return REFUSED
  }
  if (version === 'v2') return { kind: 'passed', score: null }
  // Google leaves both out for a v2 key. The visitor is not to blame for the wrong version in the settings.
  if (reply.action === undefined && reply.score === undefined)
    return misconfigured(log, 'the keys are not for v3')
  return reply.action === ACTION ? { kind: 'passed', score: reply.score ?? 0 } : REFUSED
}

function explain(codes: readonly string[], log: Log): ProviderResult {
  const isTokensFault = codes.length > 0 && codes.every(code => tokenErrors.has(code))
  if (!isTokensFault) return misconfigured(log, codes.join(', ') || 'no reason given')
  log('info', 'FormService', 'Bot-check token rejected', { reason: codes.join(', ') })
  return REFUSED
}

function misconfigured(log: Log, reason: string): ProviderResult {
  log('error', 'FormService', 'The bot check rejected the keys in the settings', { reason })
  return MISCONFIGURED
}
