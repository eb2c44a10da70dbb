import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** Microsoft's sign-in and Microsoft Graph on loopback, as far as a mailbox needs them, by their documentation. */
export interface Microsoft {
  /** For `MICROSOFT_LOGIN_URL` and `GRAPH_API_URL`. */
  readonly loginUrl: string
  readonly apiUrl: string
  readonly mails: StoredMail[]
  /** Emails that were sent, as they came. */
  readonly sent: SentEmail[]
  /** What was asked for, without the host. */
  readonly requests: string[]
  /** Every token that came with a request to Graph. */
  readonly bearers: Set<string>
  /** What becomes of the code that waits. */
  person: 'away' | 'signed in' | 'declined' | 'expired' | 'impatient'
  /** The refresh token that is good; each renewal makes another one. */
  readonly refreshToken: string
  readonly renewals: number
  /** Whether a refresh token works once only. Microsoft takes old ones too. */
  isStrict: boolean
  /** Whether the organisation has ended the sign-in. */
  isConsentOver: boolean
  /** What its answers say about the time; null: nothing. */
  date: Date | null
  /** The next requests to Graph whose path has this text get this reply instead. */
  misdeeds: Misdeed[]
  /** Mails on a page. */
  pageSize: number
  deliver(raw: string, receivedAt?: Date): StoredMail
  /** Access tokens that were handed out are refused from now on. */
  endTokens(): void
  /** From now on it does not know what has changed since the last time. */
  forgetChanges(): void
  close(): Promise<void>
}

export interface StoredMail {
  readonly id: string
  readonly raw: Buffer
  readonly receivedAt: string
}

interface SentEmail {
  readonly path: string
  readonly raw: string
}

export interface Misdeed {
  readonly on: string
  readonly times?: number
  reply(response: ServerResponse, url: URL): void
}

export const OFFICE = 'office@agency.test'
export const TENANT = '6f1b6a2e-0d0c-4a8e-9a57-0a6a1c6f2f10'
export const CLIENT = '0c9f2d7e-5b1a-4f3d-8a44-5d7f7f0e1a22'
const DEVICE = 'device-code-that-nobody-may-see'

export async function openMicrosoft(): Promise<Microsoft> {
  let base = ''
  let [tokens, renewals, ids, generation] = [0, 0, 0, 1]
  let good = new Set<string>()
  const refreshTokens = new Set<string>()

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', base)
    // The clock of a test may be any.
    response.sendDate = false
    if (microsoft.date) response.setHeader('Date', microsoft.date.toUTCString())
    const body = await textOf(request)
    microsoft.requests.push(`${request.method} ${url.pathname}${url.search}`)
    if (url.pathname.startsWith('/login/')) return signIn(response, url, new URLSearchParams(body))
    const bearer = request.headers.authorization?.replace('Bearer ', '') ?? ''
    microsoft.bearers.add(bearer)
    const misdeed = microsoft.misdeeds.find(({ on }) => `${url.pathname}${url.search}`.includes(on))
    if (misdeed) {
      const left = (misdeed.times ?? Number.POSITIVE_INFINITY) - 1
      const others = microsoft.misdeeds.filter(each => each !== misdeed)
      microsoft.misdeeds = left > 0 ? [{ ...misdeed, times: left }, ...others] : others
      return misdeed.reply(response, url)
    }
    if (!good.has(bearer))
      return refuse(response, 401, 'InvalidAuthenticationToken', 'Lifetime validation failed.')
    answer(response, { method: request.method ?? '', url, body })
  })

  function signIn(response: ServerResponse, { pathname }: URL, fields: URLSearchParams) {
    const [, , tenant, ...rest] = pathname.split('/')
    if (tenant !== TENANT)
      return fail(response, 'invalid_request', 'AADSTS90002: Tenant not found.\r\nTrace ID: 1')
    if (fields.get('client_id') !== CLIENT)
      return fail(response, 'unauthorized_client', 'AADSTS700016: Application was not found.\r\nTrace ID: 2')
    if (rest.at(-1) === 'devicecode') {
      const uri = `${base}/login/device`
      const code = { device_code: DEVICE, user_code: 'FRC8XBG2W', verification_uri: uri, message: 'Go there' }
      return send(response, 200, { ...code, expires_in: 900, interval: 1, scope: fields.get('scope') })
    }
    if (fields.get('grant_type') === 'refresh_token') return renew(response, fields)
    if (fields.get('device_code') !== DEVICE) return fail(response, 'bad_verification_code', 'Unknown')
    const refusals = {
      away: 'authorization_pending',
      impatient: 'slow_down',
      declined: 'authorization_declined',
      expired: 'expired_token',
    }
    if (microsoft.person !== 'signed in')
      return fail(response, refusals[microsoft.person], 'AADSTS70016: Not yet.\r\nTrace ID: 3')
    microsoft.isConsentOver = false
    return handOut(response)
  }

  function renew(response: ServerResponse, fields: URLSearchParams) {
    const token = fields.get('refresh_token') ?? ''
    if (microsoft.isConsentOver || !refreshTokens.has(token))
      return fail(response, 'invalid_grant', 'AADSTS50173: The grant was revoked.\r\nTrace ID: 4')
    if (microsoft.isStrict) refreshTokens.delete(token)
    renewals++
    handOut(response)
  }

  function handOut(response: ServerResponse) {
    tokens++
    const refreshToken = `refresh-${tokens}`
    good.add(`access-${tokens}`)
    refreshTokens.add(refreshToken)
    const body = { token_type: 'Bearer', access_token: `access-${tokens}`, refresh_token: refreshToken }
    send(response, 200, { ...body, expires_in: 3600, scope: 'Mail.Read Mail.Send User.Read' })
  }

  function answer(
    response: ServerResponse,
    { method, url, body }: { method: string; url: URL; body: string },
  ) {
    const path = url.pathname.replace(/^\/v1\.0\/(me|users\/[^/]+)/, '')
    if (path === '') return send(response, 200, { mail: OFFICE, userPrincipalName: OFFICE })
    if (method === 'POST' && path === '/sendMail') {
      microsoft.sent.push({ path: url.pathname, raw: Buffer.from(body, 'base64').toString() })
      return response.writeHead(202).end()
    }
    if (path === '/mailFolders/inbox') return send(response, 200, { id: 'inbox' })
    if (path === '/mailFolders/inbox/messages/delta') return sendChanges(response, url)
    if (path === '/mailFolders/inbox/messages') return sendList(response, url)
    const [, name = '', part] = /^\/messages\/([^/]+)(\/\$value)?$/.exec(path) ?? []
    const mail = microsoft.mails.find(({ id }) => id === decodeURIComponent(name))
    if (!mail) return refuse(response, 404, 'ErrorItemNotFound', 'The item was not found.')
    if (!part) return send(response, 200, { id: mail.id })
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': mail.raw.length }).end(mail.raw)
  }

  /** A token holds what was asked for, as those of Graph do: the generation, how far, and from which time. */
  function sendChanges(response: ServerResponse, url: URL) {
    const token = url.searchParams.get('$deltatoken') ?? url.searchParams.get('$skiptoken')
    const [of, at, from] = token?.split('~') ?? [generation, 0, timesOf(url).from]
    if (Number(of) !== generation)
      return refuse(response, 410, 'SyncStateNotFound', 'The sync state is not found.')
    const begin = Number(at)
    const end = Math.min(microsoft.mails.length, begin + microsoft.pageSize)
    const isLast = end === microsoft.mails.length
    const link = `${base}${url.pathname}?${isLast ? '$deltatoken' : '$skiptoken'}=${generation}~${end}~${from}`
    send(response, 200, {
      value: microsoft.mails
        .slice(begin, end)
        .filter(mail => isWithin(mail, String(from)))
        .map(listed),
      ...(isLast ? { '@odata.deltaLink': link } : { '@odata.nextLink': link }),
    })
  }

  function sendList(response: ServerResponse, url: URL) {
    const { from, to } = timesOf(url)
    const count = Number(url.searchParams.get('$top') ?? 10)
    const skip = Number(url.searchParams.get('$skip') ?? 0)
    const found = microsoft.mails
      .filter(mail => isWithin(mail, from, to))
      .sort((one, other) => (one.receivedAt < other.receivedAt ? -1 : 1))
    if (url.searchParams.get('$orderby')?.endsWith('desc')) found.reverse()
    const next = new URL(url)
    next.searchParams.set('$skip', String(skip + count))
    send(response, 200, {
      ...(url.searchParams.has('$count') && { '@odata.count': found.length }),
      value: found.slice(skip, skip + count).map(listed),
      ...(skip + count < found.length && { '@odata.nextLink': next.href }),
    })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const microsoft: Microsoft = {
    loginUrl: `${base}/login`,
    apiUrl: `${base}/v1.0`,
    mails: [],
    sent: [],
    requests: [],
    bearers: new Set(),
    person: 'away',
    get refreshToken() {
      return `refresh-${tokens}`
    },
    get renewals() {
      return renewals
    },
    isStrict: false,
    isConsentOver: false,
    date: null,
    misdeeds: [],
    pageSize: 2,
    deliver(raw, receivedAt = new Date()) {
      // Real ids have characters that mean something in a URL.
      const mail = { id: `AAMk+/${++ids}==`, raw: Buffer.from(raw), receivedAt: receivedAt.toISOString() }
      microsoft.mails.push(mail)
      return mail
    },
    endTokens() {
      good = new Set()
    },
    forgetChanges() {
      generation++
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return microsoft
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Of the filter. */
function timesOf({ searchParams }: URL): { readonly from: string; readonly to: string } {
  const filter = searchParams.get('$filter') ?? ''
  const from = /receivedDateTime ge (\S+)/.exec(filter)?.[1] ?? '1970'
  const to = /receivedDateTime lt (\S+)/.exec(filter)?.[1] ?? '9999'
  return { from, to }
}

const isWithin = ({ receivedAt }: StoredMail, from: string, to = '9999') =>
  Date.parse(receivedAt) >= Date.parse(from) && Date.parse(receivedAt) < Date.parse(to)

function listed({ id, raw, receivedAt }: StoredMail) {
  const internetMessageId = /^Message-ID: (<[^>]+>)/im.exec(raw.toString('latin1'))?.[1] ?? null
  return {
    '@odata.etag': 'W/"1"',
    id,
    receivedDateTime: receivedAt.replace(/\.\d+Z/, 'Z'),
    internetMessageId,
  }
}

function send(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

/** As the sign-in fails. */
function fail(response: ServerResponse, error: string, words: string) {
  send(response, 400, { error, error_description: words, error_codes: [70016] })
}

/** As Graph fails. */
export function refuse(response: ServerResponse, status: number, code: string, message: string) {
  send(response, status, { error: { code, message, innerError: { date: '2026-11-28T00:00:00' } } })
}
