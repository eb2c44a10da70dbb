import { useState } from 'react'
import { CancelButton, Dialog } from '../../../ui/dialog/dialog.tsx'
import { CheckField } from '../../../ui/form/field.tsx'
import { messages } from '../contract.ts'
import type { InboxFilter } from '../messages/filter-contract.ts'

/** Says what the file has, and downloads it. The browser writes it while the messages arrive. */
export function ExportDialog({ filter, onClose }: { filter: InboxFilter; onClose: () => void }) {
  const [withSpam, setWithSpam] = useState(false)
  const filters = new URLSearchParams(
    Object.entries(filter).flatMap(([name, value]) => (name === 'order' || !value ? [] : [[name, value]])),
  )
  if (withSpam) filters.set('withSpam', 'true')
  return (
    <Dialog
      title="Export enquiries"
      onClose={onClose}
      actions={
        <>
          <CancelButton />
          <a
            className="button button-primary"
            href={`${messages.export.path}?${filters}`}
            download
            onClick={() => setTimeout(onClose)}
          >
            Download CSV
          </a>
        </>
      }
    >
      <p>
        The enquiries of this list, with what visitors sent, how many replies they got and when the first
        answer was. Times are those of the office. Notes, drafts and the text of replies are not in the file.
      </p>
      {filter.status === undefined && (
        <CheckField
          label="Include spam, which is left out otherwise"
          value={withSpam}
          onValue={setWithSpam}
        />
      )}
    </Dialog>
  )
}
