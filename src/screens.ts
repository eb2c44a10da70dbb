import type { ComponentType } from 'react'

/** One screen of the portal: its path, who may open it, and its code, which is loaded when it is opened. */
export interface Screen {
  readonly path: string
  readonly access: 'signed-in' | 'admin'
  /** Whether the screen itself shows that access is denied, instead of redirecting. */
  readonly showsAccessDenied?: true
  load(): Promise<{ Screen: ComponentType }>
}

/** Every screen of the portal. */
export const screens: readonly Screen[] = [
  { path: '/dashboard', access: 'signed-in', load: () => import('./features/dashboard/screen.tsx') },
  { path: '/users', access: 'admin', load: () => import('./features/users/screen.tsx') },
  { path: '/logs', access: 'admin', load: () => import('./features/logs/screen.tsx') },
  { path: '/messages', access: 'admin', load: () => import('./features/inbox/screen.tsx') },
  {
    path: '/api-tokens',
    access: 'admin',
    showsAccessDenied: true,
    load: () => import('./features/api-tokens/screen.tsx'),
  },
  { path: '/settings', access: 'admin', load: () => import('./features/settings/screen.tsx') },
]

/** The paths of the sign-in page, which is a document of its own. */
export const signInPaths = ['/auth', '/login']

/** The path of links in verification emails: a document like the sign-in page, but never with a bot check. */
export const verifyEmailPath = '/verify-email'
