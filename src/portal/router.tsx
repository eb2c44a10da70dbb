import { createBrowserRouter, redirect } from 'react-router'
import { type Screen, screens } from '../screens.ts'
import { forgetTypedOfOthers } from '../ui/typed.ts'
import { goToSignIn, meQuery, queryClient } from './queries.ts'
import { Loading, ScreenFailed, Shell } from './shell.tsx'

export function createPortalRouter() {
  return createBrowserRouter([
    {
      Component: Shell,
      HydrateFallback: Loading,
      children: screens.map(screen => ({
        path: screen.path,
        loader: () => admit(screen),
        lazy: { Component: async () => (await screen.load()).Screen },
        HydrateFallback: Loading,
        ErrorBoundary: ScreenFailed,
      })),
    },
  ])
}

/**
 * Nobody signed in: to the sign-in. Not an admin on an admin's screen: to the dashboard. A screen that refuses in place
 * looks for itself.
 */
async function admit({ access, refusesInPlace }: Screen) {
  const me = await queryClient.ensureQueryData(meQuery).catch(() => null)
  if (me) forgetTypedOfOthers(me.id)
  if (refusesInPlace) return null
  if (!me) {
    goToSignIn()
    // The spinner stays while the browser leaves.
    return await new Promise<never>(() => {})
  }
  if (access === 'admin' && me.role !== 'admin') return redirect('/dashboard')
  return null
}
