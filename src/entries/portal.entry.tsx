import './portal.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { UNATTENDED } from '../http/endpoint.ts'
import { minutes } from '../platform/clock.ts'
import { leaveWhenSignedOut, queryClient } from '../portal/query-client.ts'
import { createPortalRouter } from '../portal/router.tsx'
import { startDocument } from '../portal/start-document.ts'
import { prepareRequests } from '../ui/client.ts'

/** The server records a session's last call to the minute, so a shorter time would make no difference. */
const LEFT_ALONE = minutes(1)

trackUserActivity()
startDocument()
leaveWhenSignedOut()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={createPortalRouter()} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

/** From now on, what is read while nobody touches the page does not extend the session. */
function trackUserActivity(): void {
  /** Milliseconds since 1970. */
  let touchedAt = Date.now()
  const touch = () => {
    touchedAt = Date.now()
  }
  for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchmove'])
    addEventListener(type, touch, { capture: true, passive: true })
  prepareRequests(init => {
    if (Date.now() - touchedAt <= LEFT_ALONE) return init
    return { ...init, headers: { ...Object(init.headers), [UNATTENDED]: '1' } }
  })
}
