import type { ComponentType } from 'react'
import { createBrowserRouter, redirect } from 'react-router'
import type { Permission } from '../auth/permissions.ts'
import { mayOpen, type Screen, type ScreenPath, screens } from '../screens.ts'
import { clearInputOfOthers } from '../ui/form/input-backup.ts'
import { meQuery, redirectToSignIn } from '../ui/me-query.ts'
import { queryClient } from './query-client.ts'
import { Loading, ScreenFailed, Shell } from './shell.tsx'

export function createPortalRouter() {
  return createBrowserRouter([
    {
      Component: Shell,
      HydrateFallback: Loading,
      children: screens.map(screen => ({
        path: screen.path,
        loader: () => requireAccess(screen),
        // A filter or an open message is still the same screen.
        shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
        lazy: { Component: async () => (await screenModules[screen.path]()).Screen },
        HydrateFallback: Loading,
        ErrorBoundary: ScreenFailed,
      })),
    },
  ])
}

/**
 * Redirects to the sign-in page when nobody is signed in, and to the dashboard when the user may not open the screen. A
 * screen with `showsAccessDenied` checks for itself. @throws when it is unknown who is signed in
 */
async function requireAccess(screen: Screen) {
  const me = await queryClient.ensureQueryData(meQuery)
  if (me) clearInputOfOthers(me.id)
  if (screen.showsAccessDenied) return null
  if (!me) {
    redirectToSignIn()
    // The spinner stays while the browser leaves.
    return await new Promise<never>(() => {})
  }
  return (await isAllowed(screen, me.permissions)) ? null : redirect('/dashboard')
}

/** An admin may have granted it since this portal was opened, so it asks the server before it refuses. */
async function isAllowed(screen: Screen, granted: readonly Permission[]) {
  if (mayOpen(screen, granted)) return true
  const me = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
  return me !== null && mayOpen(screen, me.permissions)
}

/** The code of each screen, which is loaded when it is opened. The list of screens has none, so that menus can use it. */
const screenModules: Record<ScreenPath, () => Promise<{ Screen: ComponentType }>> = {
  '/dashboard': () => import('../features/dashboard/screen.tsx'),
  '/first-steps/:step': () => import('../features/set-up/first-steps-screen.tsx'),
  '/users': () => import('../features/users/screen.tsx'),
  '/messages': () => import('../features/inbox/list/screen.tsx'),
  '/content': () => import('../features/content-editor/screen.tsx'),
  '/content/:id': () => import('../features/content-editor/editor/editor-screen.tsx'),
  '/settings': () => import('../features/settings/screen.tsx'),
  '/logs': () => import('../features/logs/screen.tsx'),
  '/api-tokens': () => import('../features/api-tokens/screen.tsx'),
}
