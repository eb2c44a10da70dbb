import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { createCircuitBreaker } from '../circuit-breaker.ts'
import { type Clock, seconds } from '../clock.ts'
import { describeError, type Log } from '../log/logger.ts'
import { ACTION } from './token.ts'

/** A visitor is waiting; after this their enquiry goes on without the provider's word. */
const SITEVERIFY_TIMEOUT = seconds(3)

/** The provider blames the token: it is forged, used before or too old. */
const tokenErrors = new Set(['timeout-or-duplicate', 'invalid-input-response', 'missing-input-response'])

/** What the provider says of a token; `unknown` when it cannot be asked, or not with these keys. */
export type ProviderResult =
  | { readonly kind: 'passed'; readonly score: number | null }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown'; readonly reason: 'provider_down' | 'misconfigured' }

export interface Question {
  readonly token: string
  readonly secret: string
  readonly version: 'v2' | 'v3'
  /** The client address; one that stands for a whole network is not passed on. */
  readonly address: string
}

interface Dependencies {
  readonly verifyUrl: string
  /** Where our forms are; a token made on another site is refused. */
  readonly hostname: string
  readonly clock: Clock
  readonly log: Log
}

const PROVIDER_DOWN: ProviderResult = { kind: 'unknown', reason: 'provider_down' }
const MISCONFIGURED: ProviderResult = { kind: 'unknown', reason: 'misconfigured' }
const REFUSED: ProviderResult = { kind: 'refused' }

/** Asks Google's `siteverify`. Never throws: whatever goes wrong there is a finding. */
export function createRecaptcha(dependencies: Dependencies): (question: Question) => Promise<ProviderResult> {
  const { clock, log } = dependencies
  const breaker = createCircuitBreaker(clock, () =>
    log('error', 'FormService', 'The bot check does not answer; for a while forms go without it'),
  )
  return async question => {
    if (!question.secret) return misconfigured(log, 'there is no secret key')
    const result = await breaker.run(
      () => ask(dependencies, question),
      outcome => outcome === PROVIDER_DOWN,
    )
    return result ?? PROVIDER_DOWN
  }
}

async function ask(dependencies: Dependencies, question: Question): Promise<ProviderResult> {
  const { log } = dependencies
  try {
    return toResult(await post(dependencies.verifyUrl, question), question.version, dependencies)
  } catch (error) {
    log('warning', 'FormService', 'The bot check could not be asked', { error: describeError(error).error })
    return PROVIDER_DOWN
  }
}

const Verification = z.object({
  success: z.boolean(),
  hostname: z.optional(z.string()),
  /** Only of a v3 key. */
  action: z.optional(z.string()),
  /** From 0, a bot, to 1; only of a v3 key. */
  score: z.optional(z.number()),
  'error-codes': z._default(z.array(z.string()), []),
})
type Verification = z.output<typeof Verification>

/** @throws when nothing useful comes back in time. */
async function post(verifyUrl: string, { secret, token, address }: Question): Promise<Verification> {
  const form = new URLSearchParams({ secret, response: token })
  if (isIP(address)) form.set('remoteip', address)
  const response = await fetch(verifyUrl, {
    method: 'POST',
    body: form,
    // The secret goes to the configured address and to no other.
    redirect: 'error',
    signal: AbortSignal.timeout(SITEVERIFY_TIMEOUT),
  })
  if (!response.ok) throw new Error(`It answered with status ${response.status}`)
  return Verification.parse(await response.json())
}

function toResult(said: Verification, version: 'v2' | 'v3', { hostname, log }: Dependencies): ProviderResult {
  if (!said.success) return explain(said['error-codes'], log)
  if (said.hostname !== hostname) {
    log('warning', 'FormService', 'A bot-check token was made on another site than PUBLIC_URL names', {
      hostname: said.hostname,
    })
    return REFUSED
  }
  if (version === 'v2') return { kind: 'passed', score: null }
  // Google leaves both out for a v2 key, and a visitor is not to blame for the wrong version in the settings.
  if (said.action === undefined && said.score === undefined)
    return misconfigured(log, 'the keys are not of v3')
  return said.action === ACTION ? { kind: 'passed', score: said.score ?? 0 } : REFUSED
}

function explain(codes: readonly string[], log: Log): ProviderResult {
  const isTokensFault = codes.length > 0 && codes.every(code => tokenErrors.has(code))
  if (!isTokensFault) return misconfigured(log, codes.join(', ') || 'no reason given')
  log('info', 'FormService', 'A bot-check token was refused', { reason: codes.join(', ') })
  return REFUSED
}

function misconfigured(log: Log, reason: string): ProviderResult {
  log('error', 'FormService', 'The bot check refuses to work with the keys in the settings', { reason })
  return MISCONFIGURED
}
