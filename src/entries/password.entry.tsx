import './sign-in.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ForgotPassword } from '../features/password-link/forgot-password.tsx'
import { SetPassword } from '../features/password-link/set-password.tsx'
import { SetUp } from '../features/set-up/screen.tsx'
import { forgotPasswordPath, setPasswordPath, setUpPath } from '../screens.ts'
import { extractToken } from '../ui/extract-token.ts'
import { Header } from '../ui/header/header.tsx'
import { closeMenusFromOutside } from '../ui/header/menu.ts'

const { pathname } = location
const token = extractToken()
// Another link in this tab changes only the fragment, which does not load the page again.
addEventListener('hashchange', () => location.reload())
closeMenusFromOutside()

const root = document.getElementById('root')
if (root) {
  const siteName = root.dataset.siteName ?? ''
  createRoot(root).render(
    <StrictMode>
      <Header siteName={siteName} current={pathname} viewer={null} />
      <main id="main" className="sign-in">
        {pathname === forgotPasswordPath && <ForgotPassword siteName={siteName} />}
        {pathname === setPasswordPath && <SetPassword token={token} siteName={siteName} />}
        {pathname === setUpPath && <SetUp token={token} />}
      </main>
    </StrictMode>,
  )
}
