import { createServer, type ServerResponse } from 'node:http'

/** A stand-in for Google's `siteverify` on loopback that speaks its protocol. */
export interface RecaptchaServer {
  readonly url: string
  /** The form of each request, in the order they came. */
  readonly asked: Record<string, string>[]
  /** What it does with the next requests; see `Behaviour`. */
  behaviour: Behaviour
  /** What it says of a good token, beside `success`; a v3 key's action and score are there when these are set. */
  facts: { hostname: string; action?: string; score?: number }
  /** When set, every token fails with these. */
  errors: string[] | null
  /** Answers the requests that it holds back. */
  release(): void
  close(): Promise<void>
}

/** `answer` as Google does; say something that is not JSON; hold the answer back until `release`; send on to itself; fail with a status. */
type Behaviour = 'answer' | 'garbage' | 'hold' | 307 | 429 | 500 | 503

export const SECRET_KEY = '6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe'

/** Any token that begins with `good` is right, once. */
export async function openRecaptchaServer(hostname: string): Promise<RecaptchaServer> {
  const used = new Set<string>()
  const held: (() => void)[] = []

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    const form = isForm ? Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())) : {}
    google.asked.push(form)
    if (google.behaviour === 'hold') return held.push(() => send(response, 200, verify(form, used, google)))
    if (google.behaviour === 'garbage') return response.end('<html>Sorry</html>')
    const status = google.behaviour === 'answer' ? 200 : google.behaviour
    send(response, status, verify(form, used, google))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const google: RecaptchaServer = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/recaptcha/api/siteverify`,
    asked: [],
    behaviour: 'answer',
    facts: { hostname },
    errors: null,
    release: () => {
      for (const letGo of held.splice(0)) letGo()
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return google
}

function send(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', Location: '?again' })
  response.end(JSON.stringify(body))
}

type Said = Pick<RecaptchaServer, 'errors' | 'facts'>

function verify(form: Record<string, string>, used: Set<string>, { errors, facts }: Said): object {
  if (errors) return failed(...errors)
  const { secret, response: token = '' } = form
  if (!secret) return failed('missing-input-secret')
  if (secret !== SECRET_KEY) return failed('invalid-input-secret')
  if (!token) return failed('missing-input-response')
  if (!token.startsWith('good')) return failed('invalid-input-response')
  if (used.has(token)) return failed('timeout-or-duplicate')
  used.add(token)
  return { success: true, challenge_ts: new Date().toISOString(), ...facts }
}

const failed = (...codes: string[]) => ({ success: false, 'error-codes': codes })
