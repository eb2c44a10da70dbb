import { InnerLink } from '../../../ui/button.tsx'
import type { Entry } from '../conversation/contract.ts'

/** Where the enquiry of a message stands in the conversation. */
export const placeOf = (id: string) => `enquiry-${id}`

/** The reference of what is merged into the open message: it leads to its enquiry, and in another window to the conversation. */
export function MergedReference({ id, reference }: NonNullable<Entry['origin']>) {
  return (
    <InnerLink
      href={`?message=${id}`}
      onFollow={link => {
        // In a very long conversation it may not be read yet: it is, once somebody sees the beginning.
        const place = document.getElementById(placeOf(id)) ?? link.closest('.inbox-thread')
        if (place instanceof HTMLElement) place.focus({ preventScroll: true })
        place?.scrollIntoView({ block: 'start' })
      }}
    >
      {reference}
    </InnerLink>
  )
}
