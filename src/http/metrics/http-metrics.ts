import { Counter, Histogram, Registry } from 'prom-client'

export type HttpMetrics = ReturnType<typeof createHttpMetrics>

/** Upper bounds in seconds: pages stay below the first, a sign-in that sends an email reaches the last few. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** There are about fifty routes. The limit bounds memory should a label ever come from user input. */
const MAX_SERIES = 1000
const DURATION = 'landfall_request_duration_seconds'
const HELP = 'Time until the response was ready.'

interface Series {
  readonly labels: { readonly method: string; readonly route: string }
  /** Responses by status. */
  readonly statuses: Map<number, number>
  /** Responses by the first bound that they stay below; those beyond all of them come last. */
  readonly buckets: number[]
  /** Seconds. */
  sum: number
}

/**
 * Counts requests for `/metrics` in plain memory, and hands the counts over when they are read: prom-client finds a series by a text of its labels,
 * which would take a tenth of the time that a page from memory takes.
 */
export function createHttpMetrics() {
  const registry = new Registry()
  const byRoute = new Map<string, Map<string, Series>>()
  const all: Series[] = []

  function find(method: string, route: string): Series | undefined {
    const known = byRoute.get(route)?.get(method)
    if (known || all.length >= MAX_SERIES) return known
    const buckets = Array.from({ length: BUCKETS.length + 1 }, () => 0)
    const added: Series = { labels: { method, route }, statuses: new Map(), buckets, sum: 0 }
    byRoute.set(route, (byRoute.get(route) ?? new Map()).set(method, added))
    all.push(added)
    return added
  }

  new Counter({
    name: 'landfall_requests_total',
    help: 'Responses by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { labels, statuses } of all)
        for (const [status, count] of statuses) this.inc({ ...labels, status }, count)
    },
  })
  registry.registerMetric(new Durations(all))

  return {
    /** All metrics of this process. */
    registry,
    /** @param route the route pattern and not the path, so that there are few @param milliseconds until the response was ready */
    count(method: string, route: string, status: number, milliseconds: number) {
      const series = find(method, route)
      if (!series) return
      const seconds = milliseconds / 1000
      let at = 0
      while (seconds > (BUCKETS[at] ?? Number.POSITIVE_INFINITY)) at++
      series.buckets[at] = (series.buckets[at] ?? 0) + 1
      series.sum += seconds
      series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1)
    },
  }
}

/** A histogram of what is counted elsewhere. */
class Durations extends Histogram {
  readonly #all: readonly Series[]

  constructor(all: readonly Series[]) {
    super({ name: DURATION, help: HELP, registers: [] })
    this.#all = all
  }

  /** prom-client calls this, but leaves it out of its types. */
  async getForPromString() {
    return {
      name: DURATION,
      help: HELP,
      type: 'histogram',
      aggregator: 'sum',
      values: this.#all.flatMap(toValues),
    }
  }
}

/** Each bucket has what is below it too. */
function toValues({ labels, buckets, sum }: Series) {
  let count = 0
  const bounds = [...BUCKETS, '+Inf']
  const cumulated = buckets.map((own, at) => {
    count += own
    return { metricName: `${DURATION}_bucket`, labels: { le: bounds[at], ...labels }, value: count }
  })
  return [
    ...cumulated,
    { metricName: `${DURATION}_sum`, labels, value: sum },
    { metricName: `${DURATION}_count`, labels, value: count },
  ]
}
