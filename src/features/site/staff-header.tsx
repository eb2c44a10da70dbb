import { createRoot } from 'react-dom/client'
import { type ApiClient, createApiClient } from '../../http/api-client.ts'
import { createPressGuard } from '../../ui/form/press-guard.ts'
import { clearTab } from '../../ui/form/stored-input.ts'
import { Header } from '../../ui/header/header.tsx'
import { flashToast } from '../../ui/toast/flash-toast.ts'
import { samples } from '../dashboard/contract-samples.ts'
import { signIn } from '../sign-in/contract.ts'

/** Shows signed-in staff their menus in place of the Login button, on a public page. */
export async function showStaffHeader() {
  const host = document.querySelector('[data-header]')
  if (!host) return
  const call = createApiClient((path, init) => fetch(path, init))
  // After signing out in another tab the page stays unchanged.
  const me = await call(signIn.me, {}).catch(() => null)
  if (!me) return
  const once = createPressGuard()
  async function logOut() {
    await call(signIn.logout, {})
    clearTab()
    flashToast({ title: 'Logout Successful', description: 'You have been logged out.' })
    location.assign('/')
  }
  // The page has them already. Those that every site has are left out by the header.
  const menu = [...host.querySelectorAll('.header-links a')].map(link => ({
    href: link.getAttribute('href') ?? '',
    label: link.textContent,
  }))
  const siteName = host.getAttribute('data-site-name') ?? ''
  createRoot(host).render(
    <Header
      siteName={siteName}
      current={location.pathname}
      viewer={{ ...me.user, permissions: me.permissions }}
      onLogout={() => once(logOut)}
      menu={menu}
    />,
  )
  if (me.permissions.includes('content:read')) await showSampleBar(call)
}

/** Says above the page which samples visitors do not see, with the place where each is replaced. */
async function showSampleBar(call: ApiClient) {
  const { missing } = await call(samples.list, {}).catch(() => ({ missing: [] }))
  if (missing.length === 0) return
  const bar = document.createElement('aside')
  bar.className = 'site-sample-bar'
  bar.setAttribute('aria-label', 'Only you see this')
  document.querySelector('main')?.before(bar)
  createRoot(bar).render(
    <>
      <strong>Visitors do not see what is still a sample.</strong>
      <ul>
        {missing.map(({ label, href }) => (
          <li key={`${label} ${href}`}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
      <a href="/content?view=samples">See them all, or remove them</a>
    </>,
  )
}
