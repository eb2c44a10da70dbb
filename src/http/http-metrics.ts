/** Counts requests for `/metrics`: a look into a map and two additions for each. */
export interface HttpMetrics {
  /** @param route the pattern that answered, of which there are few @param milliseconds until the answer was made */
  count(method: string, route: string, status: number, milliseconds: number): void
  /** Lines in Prometheus' text format. */
  read(): string[]
}

/** Upper ends in milliseconds: pages take less than the first, a sign-in with its letter some of the last. */
const BUCKETS = [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]
/** There are some fifty patterns; should one ever be made of what people send, memory stays bounded. */
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

  function begin(method: string, route: string): Series | undefined {
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
      const series = byMethod.get(method)?.get(route) ?? begin(method, route)
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
        '# HELP landfall_requests_total Answers by method, route and status.',
        '# TYPE landfall_requests_total counter',
        ...all.flatMap(({ labels, byStatus }) =>
          [...byStatus].map(([status, n]) => `landfall_requests_total{${labels},status="${status}"} ${n}`),
        ),
        '# HELP landfall_request_duration_seconds Time until the answer was made.',
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
