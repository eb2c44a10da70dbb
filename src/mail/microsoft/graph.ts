import * as z from 'zod/mini'
import { seconds } from '../../platform/clock.ts'
import { type MAX_HEADERS, type MAX_MAIL, MailboxFailure } from '../mail-source.ts'
import {
  type Answer,
  ask,
  askPatiently,
  busyFailure,
  firstLine,
  isBusy,
  jsonOf,
  type Pace,
  type Question,
  retryAfterOf,
  strangeFailure,
  untilAborted,
} from './request.ts'
import type { MicrosoftTokens } from './sign-in.ts'

/** A mailbox of Microsoft 365. */
export interface GraphMailbox {
  readonly address: string
  /** Whether it is another one than that of the person who has signed in. */
  readonly isShared: boolean
}

interface Dependencies extends Pace {
  /** Without a slash at its end. */
  readonly apiUrl: string
  readonly tokens: Pick<MicrosoftTokens, 'access'>
}

/** A mail as Graph lists it. */
export interface GraphMail {
  readonly id: string
  readonly receivedDateTime: string | null
  readonly internetMessageId: string | null
}

export interface GraphPage {
  readonly mails: readonly GraphMail[]
  /** How many there are on all pages, where that was asked for. */
  readonly total: number
  /** To the next page, or to what will have changed by then: see `below`. */
  readonly next: string | null
  readonly delta: string | null
}

export type Graph = ReturnType<typeof createGraph>

/** An id stays the same when a mail is moved, and a page is not too long for the memory. */
const PREFER = 'IdType="ImmutableId", odata.maxpagesize=50'

/** Asks Microsoft Graph about one mailbox. @param mailbox whose own address is not needed where it is not shared */
export function createGraph({ apiUrl, tokens, ...pace }: Dependencies, mailbox: GraphMailbox) {
  let answeredAt: number | null = null
  const root = mailbox.isShared ? `/users/${encodeURIComponent(mailbox.address)}` : '/me'

  /**
   * Asks with a token, and once more with another one if it is refused. Nobody waits for a token longer than for an answer.
   * @param path below the API, never another address. @param onAsk hears when Microsoft gets the question, and when it did not count
   */
  async function request(
    path: string,
    question: Question = {},
    onAsk: (isAsking: boolean) => void = () => {},
  ): Promise<Answer> {
    let refused: string | null = null
    for (;;) {
      const token: string = await untilAborted(tokens.access(refused), pace.signal)
      onAsk(true)
      const headers = { Prefer: PREFER, ...question.headers, Authorization: `Bearer ${token}` }
      const answer = await ask(`${apiUrl}${path}`, { ...question, headers, secrets: [token] }, pace)
      answeredAt = Date.parse(answer.headers.get('Date') ?? '') || answeredAt
      if (answer.status !== 401 || refused !== null) return answer
      onAsk(false)
      refused = token
    }
  }

  const read = async (path: string, question?: Question) =>
    await askPatiently(async () => await request(path, question), pace)

  /** What follows the API in the address of a next page. A token is sent there, so it must be one of the API. */
  function below(link: string): string {
    if (!link.startsWith(`${apiUrl}/`)) throw foreignFailure()
    return link.slice(apiUrl.length)
  }

  /**
   * @param isOld whether Microsoft named the path some time ago, so that it may not even understand it any more
   * @returns null when Microsoft has lost track of the changes, so that all begins again
   */
  async function readPage(path: string, isOld = false): Promise<GraphPage | null> {
    const answer = await read(path)
    if (answer.status !== 200) {
      if (isForgotten(answer) || (isOld && answer.status === 400)) return null
      throw graphFailure(answer, pace)
    }
    const { success, data } = Page.safeParse(jsonOf(answer))
    if (!success) throw strangeFailure()
    const { '@odata.nextLink': next, '@odata.deltaLink': delta } = data
    return {
      mails: data.value
        .filter(mail => mail['@removed'] === undefined)
        .map(({ id, receivedDateTime = null, internetMessageId = null }) => ({
          id,
          receivedDateTime,
          internetMessageId,
        })),
      total: data['@odata.count'] ?? 0,
      next: next === undefined ? null : below(next),
      delta: delta === undefined ? null : below(delta),
    }
  }

  return {
    /** Of the inbox: `filter` in OData, without the address of the API. */
    inbox: `${root}/mailFolders/inbox/messages`,
    /** When it last answered, by its own clock; null where it does not say. */
    answeredAt: () => answeredAt,
    readPage,
    /** The whole mail, up to `most` bytes. Null for one that is gone. */
    async readMail(id: string, most: typeof MAX_MAIL | typeof MAX_HEADERS): Promise<Answer | null> {
      const answer = await read(`${root}/messages/${encodeURIComponent(id)}/$value`, { most })
      if (answer.status === 404) return null
      if (answer.status !== 200) throw graphFailure(answer, pace)
      return answer
    },
    async hasMail(id: string): Promise<boolean> {
      const answer = await read(`${root}/messages/${encodeURIComponent(id)}?$select=id`)
      if (answer.status === 404) return false
      if (answer.status !== 200) throw graphFailure(answer, pace)
      return true
    },
    /** Whether the inbox can be read. @throws {MailboxFailure} when not */
    async assertReadable(): Promise<void> {
      const answer = await read(`${root}/mailFolders/inbox?$select=id`)
      if (answer.status !== 200) throw graphFailure(answer, pace)
    },
    /** The address of the person who has signed in. */
    async readOwnAddress(): Promise<string> {
      const answer = await read('/me?$select=mail,userPrincipalName')
      if (answer.status !== 200) throw graphFailure(answer, pace)
      const { success, data } = Person.safeParse(jsonOf(answer))
      if (!success) throw strangeFailure()
      return (data.mail ?? data.userPrincipalName).toLowerCase()
    },
    /**
     * Hands over an email as it is. Does not wait while Microsoft is busy: the outbox does. @param onAsk as of `request`
     * @returns the answer @throws {MailboxFailure} without one, and `busy` when no more emails are taken for now
     */
    async send(mime: Buffer, onAsk: (isAsking: boolean) => void): Promise<Answer> {
      const headers = { 'Content-Type': 'text/plain' }
      const body = mime.toString('base64')
      const answer = await request(`${root}/sendMail`, { method: 'POST', headers, body }, onAsk)
      // Only this one says so: after a 503 or a 504, it may be on its way.
      if (answer.status === 429) throw busyFailure(retryAfterOf(answer, pace.clock))
      return answer
    },
  }
}

/** Characters. */
const MAX_ID = 1000

const Mail = z.object({
  id: z.string().check(z.maxLength(MAX_ID)),
  receivedDateTime: z.nullish(z.string()),
  internetMessageId: z.nullish(z.string()),
  '@removed': z.optional(z.unknown()),
})
const Page = z.object({
  value: z.array(Mail),
  '@odata.count': z.optional(z.number()),
  '@odata.nextLink': z.optional(z.string()),
  '@odata.deltaLink': z.optional(z.string()),
})
const address = z.string().check(z.maxLength(320), z.regex(/^[^\s@<>,;]+@[^\s@<>,;]+$/))
const Person = z.object({ mail: z.nullish(address), userPrincipalName: address })
const Failure = z.object({ error: z.object({ code: z.string(), message: z.optional(z.string()) }) })

/** The code and the words of a refusal. */
export function readRefusal(answer: Answer): { readonly code: string; readonly words: string } {
  let json: unknown = null
  try {
    json = jsonOf(answer)
  } catch {
    // A proxy in between may reply with a page.
  }
  const { success, data } = Failure.safeParse(json)
  return success ? { code: data.error.code, words: data.error.message ?? '' } : { code: '', words: '' }
}

/** Outlook says it with either. */
function isForgotten(answer: Answer): boolean {
  return (
    answer.status === 410 || /^(SyncState(NotFound|Invalid)|resyncRequired)$/i.test(readRefusal(answer).code)
  )
}

/** Why a question was refused. */
export function graphFailure(answer: Answer, { clock }: Pick<Pace, 'clock'>): MailboxFailure {
  if (isBusy(answer)) return busyFailure(Math.max(seconds(1), retryAfterOf(answer, clock)))
  const { words } = readRefusal(answer)
  const said = firstLine(words, answer)
  if (answer.status === 401)
    return new MailboxFailure(`Microsoft wants somebody to sign in again${said}`, 'consent')
  if (answer.status === 403 || answer.status === 404)
    return new MailboxFailure(`Microsoft does not let this mailbox be read${said}`, 'access')
  return new MailboxFailure(`Microsoft answered with status ${answer.status}${said}`, 'answer')
}

function foreignFailure(): MailboxFailure {
  return new MailboxFailure('Microsoft named another server for the next page', 'answer')
}
