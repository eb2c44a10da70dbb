import { Counter, Histogram, Registry } from 'prom-client'

/** Counts requests for `/metrics`. */
export interface HttpMetrics {
  /** @param route the route pattern and not the path, so that there are few @param milliseconds until the response was ready */
  count(method: string, route: string, status: number, milliseconds: number): void
  /** All metrics of this process. */
  readonly registry: Registry
}

/** Upper bounds in seconds: pages stay below the first, a sign-in that sends an email reaches the last few. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** There are about fifty routes. The limit bounds memory should a label ever come from user input. */
const MAX_SERIES = 1000

export function createHttpMetrics(): HttpMetrics {
  const registry = new Registry()
  const requests = new Counter({
    name: 'landfall_requests_total',
    help: 'Responses by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'landfall_request_duration_seconds',
    help: 'Time until the response was ready.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const series = new Set<string>()

  return {
    registry,
    count(method, route, status, milliseconds) {
      const name = `${method} ${route}`
      if (!series.has(name)) {
        if (series.size >= MAX_SERIES) return
        series.add(name)
      }
      requests.inc({ method, route, status })
      durations.observe({ method, route }, milliseconds / 1000)
    },
  }
}
