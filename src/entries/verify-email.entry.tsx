import './sign-in.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Screen } from '../features/email-verification/screen.tsx'
import { extractToken } from '../ui/extract-token.ts'
import { closeMenusFromOutside } from '../ui/header/menu.ts'

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
