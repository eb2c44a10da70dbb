import './sign-in.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Screen } from './features/sign-in/screen.tsx'
import { showFlashedToast } from './ui/flash-toast.ts'
import { closeMenusFromOutside } from './ui/menu.ts'

closeMenusFromOutside()
showFlashedToast()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Screen siteName={root.dataset.siteName ?? ''} />
    </StrictMode>,
  )
}
