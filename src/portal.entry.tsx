import './portal.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { watchAttendance } from './portal/attendance.ts'
import { leaveWhenSignedOut, queryClient } from './portal/query-client.ts'
import { createPortalRouter } from './portal/router.tsx'
import { showFlashedToast } from './ui/flash-toast.ts'
import { closeMenusFromOutside } from './ui/menu.ts'
import { markScrolling } from './ui/scroll.ts'

watchAttendance()
markScrolling()
closeMenusFromOutside()
showFlashedToast()
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
