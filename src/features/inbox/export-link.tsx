import { lazy, Suspense, useState } from 'react'
import { useMayCall } from '../../portal/use-may-call.ts'
import { bulk } from './bulk-contract.ts'
import type { MessageFilter } from './filter-contract.ts'

/** Loaded when it is opened. */
const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }))

interface ExportLinkProps {
  readonly filter: MessageFilter & { readonly order?: 'activity' }
}

/** Opens what exports the messages of the list. */
export function ExportLink({ filter }: ExportLinkProps) {
  const [isOpen, setOpen] = useState(false)
  if (!useMayCall()(bulk.export)) return null
  return (
    <>
      <button type="button" className="button inbox-export" onClick={() => setOpen(true)}>
        Export
      </button>
      <Suspense>{isOpen && <ExportDialog filter={filter} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
