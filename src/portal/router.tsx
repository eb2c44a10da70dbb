import { createBrowserRouter, redirect } from 'react-router'
import { type Screen, screens } from '../screens.ts'
import { clearInputOfOthers } from '../ui/input-backup.ts'
import { meQuery, redirectToSignIn } from './me-query.ts'
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
        lazy: { Component: async () => (await screen.load()).Screen },
        HydrateFallback: Loading,
        ErrorBoundary: ScreenFailed,
      })),
    },
  ])
}

/**
 * Redirects to the sign-in page when nobody is signed in, and from an admin's screen to the dashboard when the user is not
 * an admin. A screen with `showsAccessDenied` checks for itself.
 */
async function requireAccess({ access, showsAccessDenied }: Screen) {
  const me = await queryClient.ensureQueryData(meQuery).catch(() => null)
  if (me) clearInputOfOthers(me.id)
  if (showsAccessDenied) return null
  if (!me) {
    redirectToSignIn()
    // The spinner stays while the browser leaves.
    return await new Promise<never>(() => {})
  }
  if (access === 'admin' && me.role !== 'admin') return redirect('/dashboard')
  return null
}
