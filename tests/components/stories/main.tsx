import '../../../src/entries/portal.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from '../../../src/portal/query-client.ts'
import { startDocument } from '../../../src/portal/start-document.ts'
import { DialogStory } from './dialog.tsx'
import { RichTextStory } from './rich-text.tsx'
import { WritesStory } from './writes.tsx'

/** The stories, by their address. */
const routes = [
  { path: '/dialog', Component: DialogStory },
  { path: '/rich-text', Component: RichTextStory },
  { path: '/writes', Component: WritesStory },
]

startDocument()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={createBrowserRouter(routes)} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
