import type { MessageFilter } from './filter-contract.ts'

const SHAPES = {
  received: /^(\.\.|[\d-]{10}T[\d:.]{12}Z)\/(\.\.|[\d-]{10}T[\d:.]{12}Z)$/,
  firstReplyWeek: /^\d{4}-\d\d-\d\d$/,
  answeredBy: /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/,
  answeredSince: /^[\d-]{10}T[\d:.]{12}Z$/,
} as const

/** What the address says of these filters, as far as the list can take it. */
export function readDashboardFilters(params: URLSearchParams): Pick<MessageFilter, keyof typeof SHAPES> {
  const read = (name: keyof typeof SHAPES) => {
    const value = params.get(name)
    return value !== null && SHAPES[name].test(value) ? { [name]: value } : {}
  }
  return { ...read('received'), ...read('firstReplyWeek'), ...read('answeredBy'), ...read('answeredSince') }
}
