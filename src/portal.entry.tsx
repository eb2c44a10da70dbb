import './portal.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { leaveWhenSignedOut, queryClient } from './portal/query-client.ts'
import { createPortalRouter } from './portal/router.tsx'
import { startDocument } from './portal/start-document.ts'
import { trackUserActivity } from './portal/user-activity.ts'

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
