import './sign-in.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { extractToken } from './features/email-verification/extract-token.ts'
import { Screen } from './features/email-verification/screen.tsx'
import { closeMenusFromOutside } from './ui/menu.ts'

const token = extractToken()
closeMenusFromOutside()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Screen token={token} siteName={root.dataset.siteName ?? ''} />
    </StrictMode>,
  )
}
