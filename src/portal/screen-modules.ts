import type { ComponentType } from 'react'
import type { ScreenPath } from '../screens.ts'

/** The code of each screen, which is loaded when it is opened. The list of screens has none, so that menus can use it. */
export const screenModules: Record<ScreenPath, () => Promise<{ Screen: ComponentType }>> = {
  '/dashboard': () => import('../features/dashboard/screen.tsx'),
  '/users': () => import('../features/users/screen.tsx'),
  '/messages': () => import('../features/inbox/screen.tsx'),
  '/content': () => import('../features/content-editor/screen.tsx'),
  '/content/:id': () => import('../features/content-editor/editor-screen.tsx'),
  '/settings': () => import('../features/settings/screen.tsx'),
  '/logs': () => import('../features/logs/screen.tsx'),
  '/api-tokens': () => import('../features/api-tokens/screen.tsx'),
}
