import type { ReactNode } from 'react'
import type { Permission, Role } from '../../auth/permissions.ts'
import { headerTexts, type Texts } from '../../i18n/texts.ts'
import { mayOpen, menuScreens, type Screen } from '../../screens.ts'

/** The signed-in user, as far as the menus need it. */
export interface Viewer {
  readonly name: string
  readonly role: Role
  readonly permissions: readonly Permission[]
}

interface HeaderProps {
  readonly siteName: string
  /** The path of this page, to mark its link. */
  readonly current: string
  readonly viewer: Viewer | null
  /** The sign-in page, with the way back where there is one. */
  readonly loginUrl?: string | undefined
  readonly onLogout?: (() => void) | undefined
  /** The enquiry form, for visitors. */
  readonly askUrl?: string
  /** Of the page; English in the portal. */
  readonly texts?: HeaderTexts
  /** What the agency adds to the links of every site. */
  readonly menu?: readonly MenuLink[]
}

type HeaderTexts = Texts['header']

export interface MenuLink {
  readonly href: string
  readonly label: string
}

function siteLinks({ home, aboutUs, contact }: HeaderTexts, menu: readonly MenuLink[]): readonly MenuLink[] {
  const fixed = [
    { href: '/', label: home },
    { href: '/about-us', label: aboutUs },
    { href: '/contact', label: contact },
  ]
  return [...fixed, ...menu.filter(({ href }) => fixed.every(link => link.href !== href))]
}

/** The links of a menu: the screens that it lists and that the viewer may open. */
function screenLinks(menu: Screen['menus'][number], { permissions }: Viewer): readonly MenuLink[] {
  return menuScreens
    .filter(screen => screen.menus.includes(menu) && mayOpen(screen, permissions))
    .map(({ path, label }) => ({ href: path, label }))
}

/** The header of every page, public or not. It works without JavaScript: its menus are disclosures. */
export function Header({ siteName, current, viewer, texts = headerTexts, menu = [], ...props }: HeaderProps) {
  const { loginUrl = '/auth', askUrl, onLogout } = props
  const links = siteLinks(texts, menu)
  const admin = viewer?.role === 'admin' ? viewer : null
  return (
    <header className="header">
      <div className="line header-inner">
        <a className="logo" href="/">
          <Mark />
          {siteName}
        </a>
        <nav className="header-links wide-only" aria-label={texts.main}>
          <Links links={links} current={current} />
        </nav>
        <div className="line header-account">
          {admin && (
            <Menu label="Admin" className="wide-only">
              <Links links={screenLinks('desktop', admin)} current={current} />
            </Menu>
          )}
          {admin && (
            <Menu label="Admin" className="narrow-only">
              <Links links={screenLinks('dropdown', admin)} current={current} />
            </Menu>
          )}
          {viewer ? (
            <Account viewer={viewer} current={current} onLogout={onLogout} />
          ) : (
            <a className="menu-item header-login wide-only" href={loginUrl}>
              {texts.login}
            </a>
          )}
          {askUrl && (
            <a className="button button-primary" href={askUrl}>
              {texts.ask}
            </a>
          )}
          <Menu label={texts.menu} icon={<MenuIcon />} className="narrow-only" wide>
            <nav aria-label={texts.main}>
              <Links links={links} current={current} />
              {admin && <Links links={screenLinks('slide', admin)} current={current} />}
            </nav>
            {!viewer && <Links links={[{ href: loginUrl, label: texts.login }]} current={current} />}
          </Menu>
        </div>
      </div>
    </header>
  )
}

/** The account menu. For other staff than admins it lists all their screens. */
function Account({
  viewer,
  current,
  onLogout,
}: Pick<HeaderProps, 'current' | 'onLogout'> & { viewer: Viewer }) {
  return (
    <Menu label={viewer.name || 'Profile'} icon={<PersonIcon />}>
      {viewer.role !== 'admin' && <Links links={screenLinks('desktop', viewer)} current={current} />}
      <Links links={screenLinks('account', viewer)} current={current} />
      <button type="button" className="menu-item" onClick={onLogout}>
        Logout
      </button>
    </Menu>
  )
}

interface MenuProps {
  readonly label: string
  readonly icon?: ReactNode
  readonly className?: string
  readonly wide?: boolean
  readonly children: ReactNode
}

/** On a phone an icon replaces the label, which screen readers still read out. */
function Menu({ label, icon, className = '', wide = false, children }: MenuProps) {
  return (
    <details className={`menu ${className}`} data-menu data-wide={wide || undefined}>
      <summary className="button button-quiet">
        {icon}
        <span className={icon ? 'menu-label menu-label-hidden' : 'menu-label'}>{label}</span>
      </summary>
      <div className="menu-panel">{children}</div>
    </details>
  )
}

function Links({ links, current }: { links: readonly MenuLink[]; current: string }) {
  return links.map(({ href, label }) => (
    <a key={href} className="menu-item" href={href} aria-current={href === current ? 'page' : undefined}>
      {label}
    </a>
  ))
}

function PersonIcon() {
  return (
    <svg className="icon menu-icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="8" r="4" />
      <path d="M4 21c0-5 4-7 8-7s8 2 8 7" />
    </svg>
  )
}

function MenuIcon() {
  return (
    <svg className="icon menu-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 7h16M4 12h16M4 17h16" />
    </svg>
  )
}

/** A headland, the sun above the horizon, the sea. */
export function Mark() {
  return (
    <svg className="logo-mark" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="21" cy="13" r="5" fill="var(--wattle)" />
      <path d="M2 20C8 9 14 8 18 20Z" fill="var(--eucalyptus)" />
      <path d="M2 20h28M6 24h20M11 28h10" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
