import { createServer, type ServerResponse } from 'node:http'
import { TIMEOUT } from './until.ts'

/** A stand-in for Mailchimp Transactional on loopback that speaks its protocol. */
export interface MailchimpServer {
  /** For `MAILCHIMP_API_URL`. */
  readonly url: string
  /** The messages that it accepted, in order of arrival. */
  readonly messages: SentMessage[]
  /** How many requests have arrived, accepted or not. */
  readonly asked: number
  /** How many requests it holds back. */
  readonly held: number
  /** How it responds to the next requests; see `Behaviour`. */
  behaviour: Behaviour
  /** Recipients that it rejects, while it sends the message to the others. */
  readonly rejected: Set<string>
  /** Accepts the requests that it holds back, and responds normally from now on. */
  release(): void
  /** Waits for a message. */
  next(isWanted: (message: SentMessage) => boolean): Promise<SentMessage>
  close(): Promise<void>
}

/** A message as it was sent, every field of it. */
export interface SentMessage {
  readonly from_email: string
  readonly from_name: string
  readonly to: readonly { readonly email: string; readonly type: string }[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
  readonly [option: string]: unknown
}

/**
 * `answer` responds as the provider does. The others reject the recipient, send something that is not JSON or not a
 * receipt, hold the response back until `release`, redirect, are down, or repeat the key in an error.
 */
type Behaviour =
  | 'answer'
  | 'queue'
  | 'reject'
  | 'invalid'
  | 'garbage'
  | 'nonsense'
  | 'hold'
  | 'redirect'
  | 'down'
  | 'repeat the key'

export const MAIL_KEY = 'md-StandInForAMailKey42'

export async function openMailchimpServer(): Promise<MailchimpServer> {
  const held: (() => void)[] = []
  let asked = 0

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    asked++
    if (mailchimp.behaviour === 'hold') await new Promise<void>(resolve => held.push(resolve))
    const isSend = request.method === 'POST' && request.url === '/api/1.0/messages/send.json'
    if (!isSend) return fail(response, -1, 'Unknown_Method', 'Unknown method')
    answer(response, JSON.parse(Buffer.concat(chunks).toString()))
  })

  function answer(response: ServerResponse, { key, message }: { key: string; message: SentMessage }) {
    const { behaviour } = mailchimp
    if (behaviour === 'garbage') return response.end('<html>Sorry</html>')
    if (behaviour === 'nonsense') return send(response, 200, { ok: true })
    if (behaviour === 'down') return response.writeHead(503).end('<html>Back soon</html>')
    if (behaviour === 'redirect') return response.writeHead(307, { Location: '?again' }).end()
    if (behaviour === 'repeat the key')
      return fail(response, -2, 'ValidationError', `{"key":"${key}"} has no account`)
    if (key !== MAIL_KEY) return fail(response, -1, 'Invalid_Key', 'Invalid API key')
    if (!message?.from_email) return fail(response, -2, 'ValidationError', 'You must specify a message value')
    const receipt = { email: message.to[0]?.email, _id: 'stand-in', reject_reason: null }
    if (behaviour === 'reject')
      return send(response, 200, [{ ...receipt, status: 'rejected', reject_reason: 'hard-bounce' }])
    if (behaviour === 'invalid') return send(response, 200, [{ ...receipt, status: 'invalid' }])
    mailchimp.messages.push(message)
    const status = behaviour === 'queue' ? 'queued' : 'sent'
    const receipts = message.to.map(({ email }) =>
      mailchimp.rejected.has(email)
        ? { ...receipt, email, status: 'rejected', reject_reason: 'hard-bounce' }
        : { ...receipt, email, status },
    )
    send(response, 200, receipts)
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const mailchimp: MailchimpServer = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/api/1.0`,
    messages: [],
    get asked() {
      return asked
    },
    get held() {
      return held.length
    },
    behaviour: 'answer',
    rejected: new Set(),
    release() {
      mailchimp.behaviour = 'answer'
      for (const resume of held.splice(0)) resume()
    },
    async next(isWanted) {
      const deadline = Date.now() + TIMEOUT
      while (Date.now() < deadline) {
        const message = mailchimp.messages.find(isWanted)
        if (message) return message
        await new Promise(resolve => setTimeout(resolve, 10))
      }
      throw new Error(`No such message arrived, but ${mailchimp.messages.length} others did`)
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return mailchimp
}

function send(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

/** Every error of the provider has this shape and the status 500. */
function fail(response: ServerResponse, code: number, name: string, message: string) {
  send(response, 500, { status: 'error', code, name, message })
}
