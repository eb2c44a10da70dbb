import './sign-in.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Screen } from '../features/sign-in/screen.tsx'
import { closeMenusFromOutside } from '../ui/header/menu.ts'
import { showFlashedToast } from '../ui/toast/flash-toast.ts'

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
