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

/** Calls that the product has beyond the specification. */
export const furtherCalls = [
  'GET /api/dashboard',
  'GET /api/dashboard/figures',
  'GET /api/events',
  'GET /api/messages/:id',
  'GET /api/messages/counts',
  'GET /api/messages/options',
  'PATCH /api/messages/:id',
  'POST /api/messages/bulk',
  'GET /api/messages/ids',
  'GET /api/messages/export',
  'PUT /api/messages/:id/merge',
  'DELETE /api/messages/:id/merge',
  'POST /api/messages/:id/replies',
  'POST /api/messages/:id/consumer-guide',
  'GET /api/canned-replies',
  'POST /api/canned-replies',
  'PATCH /api/canned-replies/:id',
  'DELETE /api/canned-replies/:id',
  'POST /api/canned-replies/:id/use',
  'DELETE /api/messages/:id/replies/:replyId',
  'POST /api/messages/:id/replies/:replyId/retry',
  'POST /api/messages/:id/notes',
  'POST /api/messages/:id/calls',
  'PUT /api/messages/:id/draft',
  'PUT /api/messages/:id/presence',
  'DELETE /api/messages/:id/presence',
  'POST /api/messages/:id/retry',
  'PATCH /api/auth/profile',
  'GET /api/auth/pending',
  'GET /api/auth/sessions',
  'DELETE /api/auth/sessions',
  'DELETE /api/auth/sessions/:id',
  'POST /api/users/:id/verification',
  'POST /api/users/:id/invitation',
  'POST /api/auth/forgot-password',
  'POST /api/auth/password-link',
  'POST /api/auth/set-password',
  'POST /api/settings/test-email',
  'GET /api/settings/smtp',
  'PUT /api/settings/smtp',
  'GET /api/content',
  'POST /api/content',
  'GET /api/content/claims',
  'GET /api/content/pictures',
  'POST /api/content/pictures',
  'DELETE /api/content/pictures/:id',
  'GET /api/content/:id',
  'PUT /api/content/:id/draft',
  'POST /api/content/:id/publish',
  'POST /api/content/:id/unpublish',
  'GET /api/content/:id/versions',
  'GET /api/content/:id/versions/:number',
  'POST /api/content/:id/versions/:number/restore',
  'GET /api/content/facts',
  'PUT /api/content/facts',
  'POST /api/content/facts/approve',
  'POST /api/content/facts/discard',
  'DELETE /api/content/:id',
  'POST /api/content/:id/unarchive',
  'POST /api/content/:id/review',
  'POST /api/content/:id/review/approve',
  'POST /api/content/:id/review/decline',
  'POST /api/content/:id/review/withdraw',
  'GET /api/openapi.json',
  'GET /healthz',
  'GET /readyz',
]

/** Specified and not built yet. What is built leaves this list; nothing joins it. */
export const pendingCalls: readonly string[] = []

/** Section 2 and what was added since: the public pages that every site has, rendered by the server. */
export const specifiedPages = ['/', '/about-us', '/contact', '/visas', '/news']

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
  { path: '/content', access: 'content:read' },
  { path: '/content/:id', access: 'content:read' },
]

export const pendingScreens: readonly string[] = []

/** How much was pending when this list was made or last became shorter; lower these with it. */
export const mostPending = { calls: 0, pages: 0, screens: 0 }
