import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { describeError, type Log } from '../../log/logger.ts'
import { type Clock, minutes, seconds } from '../../platform/clock.ts'
import { MailboxFailure } from '../mail-source.ts'
import {
  type Answer,
  ask,
  askPatiently,
  busyFailure,
  firstLine,
  isBusy,
  jsonOf,
  type Pace,
  retryAfterOf,
  strangeFailure,
} from './request.ts'

/** An application that the agency has registered at Microsoft. It has no secret: a person signs in with a code. */
export interface MicrosoftApp {
  /** Which organisation: an id, or a domain. */
  readonly tenant: string
  readonly client: string
  /** Whether the mailbox is another one than that of the person who signs in. */
  readonly isShared: boolean
}

/** A sign-in that waits for a person, who enters `userCode` at `url`. */
export interface DeviceCode {
  /** Which of us asks: a secret. */
  readonly deviceCode: string
  readonly userCode: string
  readonly url: string
  /** Seconds. */
  readonly lifetime: number
  /** Seconds between two questions. */
  readonly interval: number
}

export interface Tokens {
  readonly accessToken: string
  /** Seconds. */
  readonly lifetime: number
  /** Null: the one before is still good. */
  readonly refreshToken: string | null
}

/** `slower`: ask five seconds less often from now on. */
export type Waiting = 'waiting' | 'slower'

export type MicrosoftSignIn = ReturnType<typeof createMicrosoftSignIn>

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** Microsoft gives a quarter of an hour. */
const MAX_LIFETIME = minutes(60) / seconds(1)

/** Signs in as RFC 8628 says, and renews what came of it. @param loginUrl without a slash at its end */
export function createMicrosoftSignIn(loginUrl: string, { clock }: Pick<Pace, 'clock'>) {
  const post = async (app: MicrosoftApp, path: string, fields: Record<string, string>, secrets: string[]) => {
    const url = `${loginUrl}/${encodeURIComponent(app.tenant)}/oauth2/v2.0/${path}`
    const body = new URLSearchParams({ client_id: app.client, ...fields })
    return await ask(url, { method: 'POST', body, secrets }, { clock })
  }

  return {
    /** @throws {MailboxFailure} */
    async begin(app: MicrosoftApp): Promise<DeviceCode> {
      const answer = await post(app, 'devicecode', { scope: scopeOf(app) }, [])
      if (answer.status !== 200) throw refusal(answer, clock)
      const { success, data } = DeviceReply.safeParse(jsonOf(answer))
      // The link is shown to people, so it must be one that a browser opens as a page.
      if (!success || !isPage(data.verification_uri, loginUrl)) throw strangeFailure()
      return {
        deviceCode: data.device_code,
        userCode: data.user_code,
        url: data.verification_uri,
        lifetime: Math.min(data.expires_in, MAX_LIFETIME),
        interval: data.interval ?? 5,
      }
    },
    /** @returns the tokens once the person has signed in @throws {MailboxFailure} `declined`, `expired` and others */
    async check(app: MicrosoftApp, deviceCode: string): Promise<Tokens | Waiting> {
      const answer = await post(app, 'token', { grant_type: DEVICE_GRANT, device_code: deviceCode }, [
        deviceCode,
      ])
      if (answer.status === 200) return tokensOf(answer)
      const { error } = errorOf(answer)
      if (error === 'authorization_pending') return 'waiting'
      if (error === 'slow_down' || isBusy(answer)) return 'slower'
      throw refusal(answer, clock)
    },
    /** @throws {MailboxFailure} with `consent` when somebody has to sign in again */
    async refresh(app: MicrosoftApp, refreshToken: string, signal?: AbortSignal): Promise<Tokens> {
      const fields = { grant_type: 'refresh_token', refresh_token: refreshToken, scope: scopeOf(app) }
      const question = () => post(app, 'token', fields, [refreshToken])
      const answer = await askPatiently(question, { clock, signal })
      if (answer.status === 200) return tokensOf(answer)
      throw refusal(answer, clock)
    },
  }
}

/** What is asked for. Nothing in the mailbox can be changed with it. */
function scopeOf({ isShared }: MicrosoftApp): string {
  const shared = isShared ? ' Mail.Read.Shared Mail.Send.Shared' : ''
  return `offline_access User.Read Mail.Read Mail.Send${shared}`
}

/** Characters. Those of Microsoft have some 2,000. */
const token = z.string().check(z.minLength(1), z.maxLength(16_384))
const count = z.number().check(z.int(), z.positive())

const DeviceReply = z.object({
  device_code: token,
  user_code: z.string().check(z.regex(/^[A-Z0-9-]{4,20}$/i)),
  verification_uri: z.string().check(z.maxLength(300)),
  expires_in: count,
  interval: z.optional(count.check(z.maximum(60))),
})
const TokenReply = z.object({
  access_token: token,
  expires_in: count,
  refresh_token: z.optional(token),
})
const Refusal = z.object({ error: z.string(), error_description: z.optional(z.string()) })

function isPage(url: string, loginUrl: string): boolean {
  const protocol = URL.parse(url)?.protocol
  return protocol === 'https:' || (protocol === 'http:' && loginUrl.startsWith('http:'))
}

function tokensOf(answer: Answer): Tokens {
  const { success, data } = TokenReply.safeParse(jsonOf(answer))
  if (!success) throw strangeFailure()
  return {
    accessToken: data.access_token,
    lifetime: data.expires_in,
    refreshToken: data.refresh_token ?? null,
  }
}

function errorOf(answer: Answer): { error: string; words?: string | undefined } {
  const { success, data } = Refusal.safeParse(answer.status >= 500 ? null : jsonOf(answer))
  return success ? { error: data.error, words: data.error_description } : { error: '' }
}

/** That somebody has to sign in, again or for the first time. */
const CONSENT = ['invalid_grant', 'interaction_required', 'consent_required', 'login_required']

function refusal(answer: Answer, clock: Clock): MailboxFailure {
  if (isBusy(answer)) return busyFailure(retryAfterOf(answer, clock))
  const { error, words } = errorOf(answer)
  const said = firstLine(words, answer)
  if (error === 'authorization_declined' || error === 'access_denied')
    return new MailboxFailure('The sign-in at Microsoft was declined', 'declined')
  if (error === 'expired_token' || error === 'code_expired' || error === 'bad_verification_code')
    return new MailboxFailure('The code has expired before somebody signed in with it', 'expired')
  if (CONSENT.includes(error))
    return new MailboxFailure(`Microsoft wants somebody to sign in again${said}`, 'consent')
  if (error) return new MailboxFailure(`Microsoft does not accept the app${said}`, 'app')
  return new MailboxFailure(`Microsoft answered with status ${answer.status}`, 'answer')
}

/** Who has signed in, as it is stored. */
export interface StoredSignIn {
  /** Of the mailbox. */
  readonly address: string
  readonly app: MicrosoftApp
  readonly refreshToken: string
  /** Another one after each sign-in by a person. */
  readonly signedInAt: string
}

interface TokenDependencies {
  readonly signIn: MicrosoftSignIn
  readonly clock: Clock
  readonly log: Log
  /** Null: nobody has signed in. */
  read(): Promise<StoredSignIn | null>
  /** Stores another refresh token, unless another one than `before` is stored by now. */
  replace(before: StoredSignIn, refreshToken: string): Promise<void>
}

export type MicrosoftTokens = ReturnType<typeof createMicrosoftTokens>

/** Before its end, so that none expires on its way. */
const MARGIN = minutes(1)
/** How often, and after how long, it is looked whether another node has stored its renewal. */
const [LOOKS, LOOK] = [10, seconds(0.2)]

/**
 * Access tokens of this node, which are nowhere stored. Each renewal brings another refresh token, which is stored at once. Two nodes
 * may renew together: what one of them has stored the other takes, when its own is refused.
 */
export function createMicrosoftTokens({ signIn, clock, log, read, replace }: TokenDependencies) {
  let current: { readonly signedInAt: string; readonly token: string; readonly until: number } | null = null
  let renewing: Promise<string> | null = null
  /** What could not be stored. */
  let unsaved: { readonly before: StoredSignIn; readonly refreshToken: string } | null = null

  async function save() {
    if (!unsaved) return
    try {
      await replace(unsaved.before, unsaved.refreshToken)
      unsaved = null
    } catch (error) {
      log(
        'warning',
        'EmailService',
        'The renewed sign-in at Microsoft is not stored yet',
        describeError(error),
      )
    }
  }

  /** What another node may be about to store. */
  async function awaitAnother(refreshToken: string): Promise<StoredSignIn | null> {
    for (let looks = 0; looks < LOOKS; looks++) {
      const now = await read()
      if (now?.refreshToken !== refreshToken) return now
      await sleep(LOOK, undefined, { ref: false })
    }
    return null
  }

  async function renew(): Promise<string> {
    let stored = (await read()) ?? nobodySignedIn()
    const isAhead = unsaved?.before.refreshToken === stored.refreshToken
    const refreshToken = isAhead ? (unsaved?.refreshToken ?? '') : stored.refreshToken
    const tokens = await signIn.refresh(stored.app, refreshToken).catch(async error => {
      // Another node was quicker, or somebody has just signed in.
      stored = (await awaitAnother(stored.refreshToken)) ?? rethrow(error)
      return await signIn.refresh(stored.app, stored.refreshToken)
    })
    if (tokens.refreshToken !== null && tokens.refreshToken !== stored.refreshToken) {
      unsaved = { before: stored, refreshToken: tokens.refreshToken }
      await save()
    }
    const until = clock().getTime() + seconds(tokens.lifetime) - MARGIN
    current = { signedInAt: stored.signedInAt, token: tokens.accessToken, until }
    return tokens.accessToken
  }

  return {
    /** @param refused a token that was not accepted, although it should last longer @throws {MailboxFailure} */
    async access(refused: string | null = null): Promise<string> {
      await save()
      const stored = (await read()) ?? nobodySignedIn()
      const isGood =
        current?.signedInAt === stored.signedInAt &&
        current.token !== refused &&
        current.until > clock().getTime()
      if (current && isGood) return current.token
      renewing ??= renew().finally(() => {
        renewing = null
      })
      return await renewing
    },
  }
}

function rethrow(error: unknown): never {
  throw error
}

function nobodySignedIn(): never {
  throw new MailboxFailure('Nobody has signed in at Microsoft', 'consent')
}
