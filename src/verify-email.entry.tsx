import './ui/tokens.css'
import './ui/dark.css'
import './ui/base.css'
import './ui/button.css'
import './ui/field.css'
import './ui/header.css'
import './features/site/footer.css'
import './features/sign-in/sign-in.css'
import './ui/print.css'
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
