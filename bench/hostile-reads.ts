import { Agent, request } from 'node:http'
import type { Case, Figure, Target } from './hostile-target.ts'
import { quantile } from './hostile-visits.ts'
import { mostWait, watchOthers } from './hostile-waits.ts'

/** A page that is kept in memory, which each reply is compared with. */
const CACHED = '/contact'
/** Times what a cached page costs. */
const MAX_TIMES = 2
const MAX_RENDERED = 20
/** Looked up for each request, and so limited for each address, like a rendered page. */
const LOOKED_UP = '/api/auth/verify-email'
/** Requests until the code that answers them is compiled. */
const WARM_UP = 1000
/** In turns, so that what slows the machine for a while slows both, and so short that most are spared by other work. */
const ROUNDS = 40
const REQUESTS = 25
/** Other work on the machine can spoil a comparison, and never makes an expensive reply cheap. */
const ATTEMPTS = 5
const NO_SUCH_ID = '0198c0de-0000-7000-8000-000000000000'
/** Requests for rendered pages from one address, as fast as it gets them. */
const FLOOD = 300

/** A stranger reads everything that there is, and pages that are rendered for what was asked. */
export const strangerReads: Case = {
  name: 'A4: a stranger reads everything',

  async measure(target) {
    const paths = await listPaths(target)
    const figures: Figure[] = []
    let worst: Figure = { name: '', value: 0, most: MAX_TIMES }
    for (const path of paths.filter(it => it !== LOOKED_UP)) {
      const value = await compare(target, () => path, MAX_TIMES)
      if (value > worst.value) worst = { name: path, value, most: MAX_TIMES }
    }
    figures.push({ ...worst, name: `times a cached page, of ${paths.length} paths: ${worst.name}` })
    figures.push({
      name: `times a cached page: ${LOOKED_UP}`,
      value: await compare(target, () => LOOKED_UP, MAX_RENDERED),
      most: MAX_RENDERED,
    })
    const plan = await planOf(target)
    figures.push({
      name: 'times a cached page: plans of the finder, in turns',
      value: await compare(target, plan, MAX_RENDERED),
      most: MAX_RENDERED,
    })
    const reading = async (path: () => string) =>
      await watchOthers(target, async () => {
        await Promise.all(Array.from({ length: FLOOD }, async () => await read(target, path(), '10.9.9.9')))
      })
    const quiet = await reading(() => CACHED)
    const flood = await reading(plan)
    figures.push({
      name: `ms that others wait while an address asks for ${FLOOD} plans (for ${FLOOD} cached pages ${quiet.wait.toFixed(0)})`,
      value: flood.wait,
      most: mostWait(quiet),
    })
    return figures
  },
}

/** Every call that is read, and every page of the site. */
async function listPaths({ url }: Target): Promise<string[]> {
  const { paths }: { paths: Record<string, object> } = await (await fetch(`${url}/api/openapi.json`)).json()
  const calls = Object.entries(paths).flatMap(([path, methods]) => ('get' in methods ? path : []))
  const map = await (await fetch(`${url}/sitemap.xml`)).text()
  const pages = [...map.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, page = '']) => new URL(page).pathname)
  const others = [
    '/nothing',
    '/robots.txt',
    '/sitemap.xml',
    '/auth',
    '/dashboard',
    '/preview/nothing',
    '/contact/received',
  ]
  // The stream of events and the check of readiness have tests of their own.
  const isCompared = (path: string) => path !== '/api/events' && path !== '/readyz'
  return [...calls, ...pages, ...others].filter(isCompared).map(path => path.replace(/\{\w+\}/g, NO_SUCH_ID))
}

/** A plan of the finder, another one each time. */
async function planOf({ url }: Target): Promise<() => string> {
  const home = await (await fetch(url)).text()
  const [form = ''] = /<form class="site-finder-form"[\s\S]*?<\/form>/.exec(home) ?? []
  const answers = [...form.matchAll(/<select[^>]* name="(\w+)"[\s\S]*?<\/select>/g)].map(
    ([select, name = '']) => ({
      name,
      values: [...select.matchAll(/<option value="([\w-]+)"/g)].map(([, value = '']) => value),
    }),
  )
  if (answers.length === 0 || answers.some(({ values }) => values.length === 0))
    throw new Error('The finder of the home page is not found')
  let count = 0
  return () => {
    let left = count++
    const query = new URLSearchParams()
    for (const { name, values } of answers) {
      query.set(name, values[left % values.length] ?? '')
      left = Math.floor(left / values.length)
    }
    return `/?${query}`
  }
}

/** @returns how many times as much processor time it costs as a cached page */
async function compare(target: Target, path: () => string, most: number): Promise<number> {
  await cost(target, path, WARM_UP)
  let times = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && times > most; attempt++)
    times = Math.min(times, await compareOnce(target, path))
  return times
}

async function compareOnce(target: Target, path: () => string): Promise<number> {
  const [costs, costsCached]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    costs.push(await cost(target, path))
    costsCached.push(await cost(target, () => CACHED))
  }
  return quantile(costs, 0.25) / quantile(costsCached, 0.25)
}

/** @returns milliseconds of processor time, together */
async function cost(target: Target, path: () => string, requests = REQUESTS): Promise<number> {
  const before = target.cpu()
  for (let at = 0; at < requests; at++) await read(target, path(), newAddress())
  return target.cpu() - before
}

let addresses = 0

/** What one address gets is limited. */
function newAddress(): string {
  addresses++
  return `10.${8 + ((addresses >> 16) & 63)}.${(addresses >> 8) & 255}.${addresses & 255}`
}

const agent = new Agent({ keepAlive: true })

function read({ url }: Target, path: string, address: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'br', 'x-forwarded-for': address }
    request(`${url}${path}`, { agent, headers }, response => {
      response.resume().on('end', resolve).on('error', reject)
    })
      .on('error', reject)
      .end()
  })
}
