/** Counts requests for `/metrics`. Each request costs two map lookups and a few additions. */
export interface HttpMetrics {
  /** @param route the route pattern and not the path, so that there are few @param milliseconds until the response was ready */
  count(method: string, route: string, status: number, milliseconds: number): void
  /** @returns lines in Prometheus' text format */
  read(): string[]
}

/** Upper bounds in milliseconds: pages stay below the first, a sign-in that sends an email reaches the last few. */
const BUCKETS = [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]
/** There are about fifty routes. The limit bounds memory should a label ever come from user input. */
const MAX_SERIES = 1000

interface Series {
  readonly labels: string
  readonly byStatus: Map<number, number>
  readonly buckets: number[]
  count: number
  milliseconds: number
}

export function createHttpMetrics(): HttpMetrics {
  const byMethod = new Map<string, Map<string, Series>>()
  let size = 0

  function createSeries(method: string, route: string): Series | undefined {
    if (size >= MAX_SERIES) return
    size++
    const routes = byMethod.get(method) ?? new Map<string, Series>()
    const labels = `method="${escapeLabel(method)}",route="${escapeLabel(route)}"`
    const series = { labels, byStatus: new Map(), buckets: BUCKETS.map(() => 0), count: 0, milliseconds: 0 }
    byMethod.set(method, routes.set(route, series))
    return series
  }

  return {
    count(method, route, status, milliseconds) {
      const series = byMethod.get(method)?.get(route) ?? createSeries(method, route)
      if (!series) return
      series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1)
      series.count++
      series.milliseconds += milliseconds
      const bucket = BUCKETS.findIndex(end => milliseconds <= end)
      if (bucket >= 0) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1
    },
    read() {
      const all = [...byMethod.values()].flatMap(routes => [...routes.values()])
      return [
        '# HELP landfall_requests_total Responses by method, route and status.',
        '# TYPE landfall_requests_total counter',
        ...all.flatMap(({ labels, byStatus }) =>
          [...byStatus].map(([status, n]) => `landfall_requests_total{${labels},status="${status}"} ${n}`),
        ),
        '# HELP landfall_request_duration_seconds Time until the response was ready.',
        '# TYPE landfall_request_duration_seconds histogram',
        ...all.flatMap(describeDurations),
      ]
    },
  }
}

function describeDurations({ labels, buckets, count, milliseconds }: Series): string[] {
  const name = 'landfall_request_duration_seconds'
  let below = 0
  const lines = BUCKETS.map((end, at) => {
    below += buckets[at] ?? 0
    return `${name}_bucket{${labels},le="${end / 1000}"} ${below}`
  })
  return [
    ...lines,
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${milliseconds / 1000}`,
    `${name}_count{${labels}} ${count}`,
  ]
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, it => (it === '\n' ? '\\n' : `\\${it}`))
}
