import type { ComponentType } from 'react'

/** One screen of the portal: where it is, who may open it, and its code, which is loaded when it is opened. */
export interface Screen {
  readonly path: string
  readonly access: 'signed-in' | 'admin'
  /** Whoever may not open it is told so on it, instead of being led away. */
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

/** The addresses of the sign-in, which is a document of its own. */
export const signInPaths = ['/auth', '/login']

/** Where the link in a verification letter leads: a document like those, but one that never asks Google. */
export const verifyEmailPath = '/verify-email'
