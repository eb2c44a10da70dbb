import { createServer, type ServerResponse } from 'node:http'

/** A stand-in for Google's `siteverify` on loopback that speaks its protocol. */
export interface RecaptchaServer {
  readonly url: string
  /** The form of each request, in order of arrival. */
  readonly asked: Record<string, string>[]
  /** How it responds to the next requests; see `Behaviour`. */
  behaviour: Behaviour
  /** What a reply about a valid token has besides `success`. `action` and `score` make it one of a v3 key. */
  facts: { hostname: string; action?: string; score?: number }
  /** When set, every token fails with these codes. */
  errors: string[] | null
  /** Responds to the requests that it holds back. */
  release(): void
  close(): Promise<void>
}

/** `answer` responds as Google does. The others send something that is not JSON, hold the response back until `release`, redirect, or fail with a status. */
type Behaviour = 'answer' | 'garbage' | 'hold' | 307 | 429 | 500 | 503

export const SECRET_KEY = '6LeIxAcTAAAAAGG-vFI1TnRWxMZNFuojJ4WifJWe'

/** Any token that begins with `good` is valid, once. */
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
      for (const resume of held.splice(0)) resume()
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

type ReplyData = Pick<RecaptchaServer, 'errors' | 'facts'>

function verify(form: Record<string, string>, used: Set<string>, { errors, facts }: ReplyData): object {
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
