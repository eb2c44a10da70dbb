import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds that each visit took. */
export interface Visits {
  readonly page: number[]
  readonly login: number[]
  readonly enquiry: number[]
  failed: number
}

/** Milliseconds between two of the same kind. */
const PAUSE = 20

const enquiry = {
  name: 'Mai Nguyen',
  email: 'mai@visitor.test',
  phone: '+61 400 000 000',
  service: 'family',
  message: 'Can my sister join me in Perth?',
}

/** One visitor after another of each kind, each from an address of their own. @param page that they read */
export function beginVisits(url: string, page = '/contact'): { stop(): Promise<Visits> } {
  const visits: Visits = { page: [], login: [], enquiry: [], failed: 0 }
  let isOver = false

  async function keepAsking(kind: 'page' | 'login' | 'enquiry', ask: () => Promise<boolean>) {
    while (!isOver) {
      const start = performance.now()
      const isGood = await ask().catch(() => false)
      visits[kind].push(performance.now() - start)
      if (!isGood) visits.failed++
      await sleep(PAUSE)
    }
  }

  const all = prepareLogin(url).then(logIn =>
    Promise.all([
      keepAsking('page', async () => await isAnswered(url + page, {}, 200)),
      keepAsking('login', logIn),
      keepAsking('enquiry', async () => await post(`${url}/api/contact`, enquiry, {}, 201)),
    ]),
  )
  return {
    async stop() {
      isOver = true
      await all
      return visits
    },
  }
}

/** A wrong password, which costs as much as a right one. */
async function prepareLogin(url: string): Promise<() => Promise<boolean>> {
  const first = await fetch(`${url}/api/csrf-token`)
  const { csrfToken }: { csrfToken: string } = await first.json()
  const cookie = first.headers.getSetCookie().map(given => given.split(';')[0])
  const headers = { cookie: cookie.join('; '), 'x-csrf-token': csrfToken, 'sec-fetch-site': 'same-origin' }
  return async () => {
    const body = { email: `${randomInt(1e9)}@agency.test`, password: 'Wrong-Password-1!' }
    return await post(`${url}/api/auth/login`, body, headers, 401)
  }
}

async function post(url: string, body: object, headers: Record<string, string>, status: number) {
  const own = { ...headers, 'content-type': 'application/json' }
  return await isAnswered(url, { method: 'POST', headers: own, body: JSON.stringify(body) }, status)
}

async function isAnswered(url: string, init: RequestInit, status: number): Promise<boolean> {
  const address = [randomInt(1, 224), randomInt(256), randomInt(256), randomInt(256)].join('.')
  const response = await fetch(url, { ...init, headers: { ...init.headers, 'x-forwarded-for': address } })
  await response.arrayBuffer()
  return response.status === status
}

/** The 95th percentile. */
export function quantile(times: readonly number[], part = 0.95): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN
}
