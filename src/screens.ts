import { isGranted, type Permission, type StaffAccess } from './auth/permissions.ts'

/** One screen of the portal: its path, which may have a parameter, its name in the menus, and who may open it. */
export interface Screen {
  readonly path: string
  readonly label: string
  readonly access: StaffAccess
  /**
   * The menus of the header that list it. On a phone an admin has two, which together reach every screen of the
   * specification; `account` is the menu with the name of the user, at every width.
   */
  readonly menus: readonly ('desktop' | 'dropdown' | 'slide' | 'account')[]
  /** Whether the screen itself shows that access is denied, instead of redirecting. */
  readonly showsAccessDenied?: true
}

const list = [
  { path: '/dashboard', label: 'Dashboard', access: 'signed-in', menus: ['desktop', 'dropdown', 'slide'] },
  { path: '/first-steps/:step', label: 'First steps', access: 'settings', menus: [] },
  { path: '/users', label: 'Users', access: 'users', menus: ['desktop', 'dropdown', 'slide'] },
  { path: '/messages', label: 'Messages', access: 'inbox:read', menus: ['desktop', 'slide'] },
  { path: '/content', label: 'Content', access: 'content:read', menus: ['account'] },
  { path: '/content/:id', label: 'Content', access: 'content:read', menus: [] },
  { path: '/settings', label: 'Settings', access: 'settings', menus: ['desktop', 'dropdown', 'slide'] },
  { path: '/logs', label: 'System Logs', access: 'logs', menus: ['desktop', 'dropdown'] },
  {
    path: '/api-tokens',
    label: 'API Tokens',
    access: 'tokens',
    menus: ['desktop', 'slide'],
    showsAccessDenied: true,
  },
] as const satisfies readonly Screen[]

export type ScreenPath = (typeof list)[number]['path']

/** Every screen of the portal, in the order of the menus. `portal/router.tsx` has their code. */
export const screens: readonly (Screen & { readonly path: ScreenPath })[] = list

/** The screens that menus can lead to: the others need to know what to show. */
export const menuScreens = screens.filter(({ path }) => !path.includes(':'))

/** The screen at the path of a URL. */
export function findScreen(path: string): (typeof screens)[number] | undefined {
  return screens.find(screen => matches(screen.path, path))
}

/** A parameter stands for one segment. */
function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  const isSame = (part: string, at: number) => (part.startsWith(':') ? given[at] !== '' : part === given[at])
  return wanted.length === given.length && wanted.every(isSame)
}

/** Whether someone with these permissions may open a screen. */
export function mayOpen({ access }: Pick<Screen, 'access'>, granted: readonly Permission[]): boolean {
  return isGranted(access, granted)
}

/** Whether someone with these permissions may open the screen at a path, for a link to it. */
export function mayOpenPath(path: ScreenPath, granted: readonly Permission[]): boolean {
  return screens.some(screen => screen.path === path && mayOpen(screen, granted))
}

/** The paths of the sign-in page, which is a document of its own. */
export const signInPaths = ['/auth', '/login']

/** The path of links in verification emails: a document like the sign-in page, but never with a bot check. */
export const verifyEmailPath = '/verify-email'

/** The page where staff ask for a link to set a new password: a document with the bot check of the sign-in page. */
export const forgotPasswordPath = '/forgot-password'

/** Where that link and the one of an invitation lead: like the page of verification emails, without a bot check. */
export const setPasswordPath = '/set-password'

/** Where the link leads that a new installation prints: the first admin chooses name, address and password. */
export const setUpPath = '/set-up'

/** Every document before the portal. */
export const signInDocumentPaths = [
  ...signInPaths,
  verifyEmailPath,
  forgotPasswordPath,
  setPasswordPath,
  setUpPath,
]
