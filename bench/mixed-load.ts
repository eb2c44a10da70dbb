import { randomInt, randomUUID } from 'node:crypto'

/** Valid and invalid requests of a typical day, in about their real proportions. */
export interface MixedLoad {
  /** The number of responses by status; 0 for a connection that was closed. */
  readonly answers: Map<number, number>
  /** Ends once the requests in flight have their responses. */
  stop(): Promise<void>
}

interface Asked extends RequestInit {
  readonly path: string
}

const visitor = {
  name: 'Mai Nguyen',
  email: 'mai@visitor.test',
  phone: '+61 400 000 000',
  service: 'family',
  message: 'My sister lives in Da Nang and would like to join me in Perth. Which visa may she apply for?',
}

/** @param cookie of somebody who is signed in. */
export function startMixedLoad(url: string, cookie: string, clients: number): MixedLoad {
  const answers = new Map<number, number>()
  const kinds = kindsOfRequest(cookie)
  let isOver = false

  async function keepAsking() {
    while (!isOver) {
      const { path, ...init } = kinds[randomInt(kinds.length)]?.() ?? { path: '/' }
      // A body that is too large is answered before it has been read, which some clients treat as an error.
      const status = await fetch(`${url}${path}`, { redirect: 'manual', ...init }).then(read, () => 0)
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  }

  const all = Promise.all(Array.from({ length: clients }, keepAsking))
  return {
    answers,
    async stop() {
      isOver = true
      await all
    },
  }
}

async function read(reply: Response): Promise<number> {
  await reply.arrayBuffer()
  return reply.status
}

function kindsOfRequest(cookie: string): (() => Asked)[] {
  const visit = (path: string, encoding = 'br'): Asked => ({
    path,
    headers: { 'Accept-Encoding': encoding, 'X-Forwarded-For': anyAddress() },
  })
  const staff = (path: string): Asked => ({ path, headers: { cookie } })
  return [
    () => visit('/'),
    () => visit('/', 'identity'),
    () => visit('/about-us', 'gzip'),
    () => visit('/contact'),
    () => visit('/contact?form=visa-assessment&service=skilled'),
    () => visit(`/contact?utm_source=${randomUUID()}`),
    () => visit(`/no-such-page-${randomUUID()}`),
    () => visit(`/api/no-such-call-${randomUUID()}`),
    () => visit('/api/public/recaptcha'),
    () => visit('/api/openapi.json'),
    () => enquire(visitor),
    () => enquire(visitor),
    () => enquire({ ...visitor, message: 'A long story. '.repeat(500) }),
    () => enquire({ ...visitor, email: 'nowhere' }),
    () => enquire({ ...visitor, recaptchaToken: 'x'.repeat(70_000) }),
    postWithoutScript,
    guessPassword,
    () => staff('/api/auth/me'),
    () => staff('/api/dashboard'),
    () => staff('/api/messages?limit=100'),
    () => staff(`/api/messages?q=${randomUUID().slice(0, 3)}`),
    () => staff('/api/logs?limit=100'),
    () => staff('/metrics'),
  ]
}

function enquire(enquiry: object): Asked {
  const headers = {
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
    'X-Forwarded-For': anyAddress(),
    'User-Agent': `Mozilla/5.0 (${randomUUID()})`,
  }
  return { path: '/api/contact', method: 'POST', headers, body: JSON.stringify(enquiry) }
}

function postWithoutScript(): Asked {
  const body = new URLSearchParams({ ...visitor, formType: 'contact' })
  return { path: '/contact', method: 'POST', headers: { 'X-Forwarded-For': anyAddress() }, body }
}

/** Without a security token, which is refused, as most of those who try do without one. */
function guessPassword(): Asked {
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': anyAddress() }
  const body = JSON.stringify({ email: `${randomUUID()}@agency.test`, password: randomUUID() })
  return { path: '/api/auth/login', method: 'POST', headers, body }
}

function anyAddress(): string {
  return [randomInt(1, 224), randomInt(256), randomInt(256), randomInt(256)].join('.')
}
