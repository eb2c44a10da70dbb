import { useMayCall } from '../../portal/use-may-call.ts'
import { bulk } from './bulk-contract.ts'
import type { MessageFilter } from './filter-contract.ts'

/** Downloads the messages of the list as CSV. The browser writes them to a file while they arrive. */
export function ExportLink({ filter }: { readonly filter: MessageFilter & { readonly order?: 'activity' } }) {
  const mayExport = useMayCall()(bulk.export)
  if (!mayExport) return null
  const filters = new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) => (name === 'order' || !value ? [] : [[name, value]])),
  )
  return (
    <a className="button" href={`${bulk.export.path}?${filters}`} download>
      Export
    </a>
  )
}
