import type { ComponentType } from 'react'

/** One screen of the portal: its path, its name, who may open it, and its code, which is loaded when it is opened. */
export interface Screen {
  readonly path: string
  readonly label: string
  readonly access: 'signed-in' | 'admin'
  /** Whether the screen itself shows that access is denied, instead of redirecting. */
  readonly showsAccessDenied?: true
  load(): Promise<{ Screen: ComponentType }>
}

/** Every screen of the portal, in the order of the menus. */
export const screens: readonly Screen[] = [
  {
    path: '/dashboard',
    label: 'Dashboard',
    access: 'signed-in',
    load: () => import('./features/dashboard/screen.tsx'),
  },
  { path: '/users', label: 'Users', access: 'admin', load: () => import('./features/users/screen.tsx') },
  {
    path: '/messages',
    label: 'Messages',
    access: 'admin',
    load: () => import('./features/inbox/screen.tsx'),
  },
  {
    path: '/settings',
    label: 'Settings',
    access: 'admin',
    load: () => import('./features/settings/screen.tsx'),
  },
  { path: '/logs', label: 'System Logs', access: 'admin', load: () => import('./features/logs/screen.tsx') },
  {
    path: '/api-tokens',
    label: 'API Tokens',
    access: 'admin',
    showsAccessDenied: true,
    load: () => import('./features/api-tokens/screen.tsx'),
  },
]

/** The paths of the sign-in page, which is a document of its own. */
export const signInPaths = ['/auth', '/login']

/** The path of links in verification emails: a document like the sign-in page, but never with a bot check. */
export const verifyEmailPath = '/verify-email'
