import { type MessageFilter, messageTypes, statuses, verifications } from './filter-contract.ts'
import { readDashboardFilters } from './read-dashboard-filters.ts'

const readStates = ['true', 'false'] as const

/** The filters of the list and its order. */
export interface InboxFilter extends MessageFilter {
  readonly order?: 'activity'
}

const ASSIGNEE = /^(me|none|[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12})$/

/** What the address says of the list. A value that no filter has is left out. */
export function readFilter(params: URLSearchParams): InboxFilter {
  const q = params.get('q')?.trim()
  const formType = messageTypes.find(type => type === params.get('formType'))
  const isRead = readStates.find(value => value === params.get('isRead'))
  const verification = verifications.find(value => value === params.get('verification'))
  const status = statuses.find(value => value === params.get('status'))
  const assignee = params.get('assignee')
  const tag = params.get('tag')
  return {
    ...(q && { q }),
    ...(formType && { formType }),
    ...(isRead && { isRead }),
    ...(verification && { verification }),
    ...(status && { status }),
    ...(assignee && ASSIGNEE.test(assignee) && { assignee }),
    ...(tag && { tag }),
    ...readDashboardFilters(params),
    ...(params.get('letter') === 'failed' && { letter: 'failed' as const }),
    ...(params.get('overdue') === 'true' && { overdue: 'true' as const }),
    ...(params.get('snoozed') === 'true' && { snoozed: 'true' as const }),
    ...(params.get('order') === 'activity' && { order: 'activity' as const }),
  }
}
