/** The tables of the specification that the three indexes are held against, and how far the product has come. */

/** Section 7: the calls. */
export const specifiedCalls = [
  'GET /api/csrf-token',
  'GET /api/auth/me',
  'POST /api/auth/login',
  'POST /api/auth/verify-2fa',
  'POST /api/auth/resend-2fa',
  'POST /api/auth/logout',
  'GET /api/auth/verify-email',
  'GET /api/users',
  'POST /api/users',
  'PATCH /api/users/:id',
  'DELETE /api/users/:id',
  'GET /api/settings',
  'PUT /api/settings/:key',
  'GET /api/public/recaptcha',
  'POST /api/contact',
  'POST /api/visa-assessment',
  'POST /api/track-application',
  'GET /api/messages',
  'PUT /api/messages/:id/read',
  'POST /api/messages/:id/forward',
  'DELETE /api/messages/:id',
  'GET /api/admin/tokens/:userId',
  'POST /api/admin/tokens',
  'DELETE /api/admin/tokens/:tokenId',
  'GET /api/logs',
  'DELETE /api/logs',
]

/** Specified and not built yet. What is built leaves this list; nothing joins it. */
export const pendingCalls: readonly string[] = []

/** Section 2 and what was added since: the public pages that every site has, rendered by the server. */
export const specifiedPages = ['/', '/about-us', '/team', '/contact', '/visas', '/news', '/track']

export const pendingPages: readonly string[] = []

/** Section 2: the screens, by who may open them. */
export const specifiedScreens = [
  { path: '/auth', access: 'public' },
  { path: '/login', access: 'public' },
  { path: '/verify-email', access: 'public' },
  { path: '/dashboard', access: 'signed-in' },
  { path: '/users', access: 'users' },
  { path: '/messages', access: 'inbox:read' },
  { path: '/settings', access: 'settings' },
  { path: '/api-tokens', access: 'tokens' },
  { path: '/logs', access: 'logs' },
  // Beyond the specification.
  { path: '/forgot-password', access: 'public' },
  { path: '/set-password', access: 'public' },
  { path: '/set-up', access: 'public' },
  { path: '/first-steps/:step', access: 'settings' },
  { path: '/content', access: 'content:read' },
  { path: '/content/:id', access: 'content:read' },
]

export const pendingScreens: readonly string[] = []

/** How much was pending when this list was made or last became shorter; lower these with it. */
export const mostPending = { calls: 0, pages: 0, screens: 0 }
