import type { Page } from '@playwright/test'
import { hashToken } from '../../src/auth/session.ts'
import { newId } from '../../src/database/id.ts'
import { changeSite } from '../e2e/documents.ts'
import { fill } from '../e2e/inbox.ts'
import type { Installation } from '../e2e/installation.ts'
import { withDatabase } from '../e2e/staff.ts'
import {
  inOrder,
  LONG_NAME,
  listed,
  press,
  type Screen,
  type State,
  unfold,
  until,
  untilText,
} from './state.ts'

/** The pages of visitors, with the forms and their answers. */
export const publicScreens: readonly Screen[] = [
  {
    title: 'The home page, its slides and its menu',
    states: async () => [
      { path: '/', name: 'home' },
      { path: '/', name: 'home-unfolded', open: unfold },
      { path: '/', name: 'second-slide', open: press('Next slide') },
      { path: '/', name: 'third-slide', open: press('Previous slide') },
      { path: '/', name: 'menu', open: openMenu, isNarrow: true },
    ],
  },
  {
    title: 'The other pages of the site, what unfolds on them and an unknown address',
    states: async installation => [
      ...(await sitemapStates(installation)),
      { path: '/faq', name: 'answers', open: unfold },
      { path: '/nothing', fails: true },
    ],
  },
  {
    title: 'The forms of enquiries, their mistakes and their answers',
    states: async () => [
      ...(await listed(formPaths)()),
      { path: '/contact', name: 'unfolded', open: unfold },
      ...formPaths.map(path => ({ path, name: `${nameOfForm(path)}-errors`, open: submit })),
      { path: '/contact', name: 'sent', open: send },
      { path: '/contact', name: 'not-sent', open: inOrder(failSending, fillIn, submitAgain), fails: true },
      { path: '/contact', name: 'menu-over-errors', open: inOrder(submit, openMenu), isNarrow: true },
      { path: '/contact/received?reference=LF-7K3M-92QD', name: 'received' },
    ],
  },
  {
    title: 'The page of an enquiry, before and after its code',
    states: async installation => {
      const token = await storeFollowed(installation)
      const path = `/status#${token}`
      return [
        { path: '/track', name: 'track-sent', open: inOrder(track, untilText('is on its way')) },
        { path: '/status', name: 'status-find' },
        { path, name: 'status', open: untilText('We have answered you') },
        { path, name: 'status-code', open: inOrder(press('Email me a code'), untilText('Six digits')) },
        { path, name: 'status-open', open: inOrder(untilText('We have answered you'), openFollowed(token)) },
        { path: '/status', name: 'status-unfolded', open: unfold },
      ]
    },
  },
  {
    title: 'The page of the team',
    as: 'admin',
    states: async () => [
      { path: '/team', before: page => changeSite(page, { team }) },
      { path: '/about-us', name: 'about-us-with-a-team' },
    ],
  },
]

/** An enquiry that was answered. @returns the token of its link, and of its access */
async function storeFollowed(installation: Installation): Promise<string> {
  const token = 'a'.repeat(43)
  const [id = ''] = await fill(installation, [
    {
      reference: 'LF-7K3M-92QD',
      name: 'Nadia Ito',
      is_read: 1,
      status: 'waiting',
      message: 'May my husband work on my 482?\n\nThank you.',
    },
  ])
  await withDatabase(installation, async db => {
    const created_at = new Date().toISOString()
    await db.deleteFrom('visitor_tokens').execute()
    for (const kind of ['link', 'access'] as const)
      await db
        .insertInto('visitor_tokens')
        .values({ token_hash: hashToken(kind + token), message_id: id, kind, created_at })
        .execute()
    const entry = { id: newId(new Date()), message_id: id, seq: 1, kind: 'reply', author_id: null } as const
    const body = 'Yes, he may work for anybody, in any job.\n\nنعم، يمكنه العمل.'
    const none = { action: null, status_before: null, status_after: null, detail: null, cc: null }
    const call = { call_direction: null, call_outcome: null, call_minutes: null }
    await db
      .insertInto('entries')
      .values({ ...entry, ...none, ...call, body, created_at })
      .execute()
  })
  return `link${token}`
}

const openFollowed = (token: string) => async (page: Page) => {
  const value = token.replace('link', 'access')
  await page.context().addCookies([{ name: 'enquiry_access', value, url: page.url() }])
  await page.reload()
}

async function track(page: Page) {
  await page.getByLabel('Reference').fill('LF-7K3M-92QD')
  await page.getByLabel('Email').fill('nadia@visitor.test')
  await page.getByRole('button', { name: 'Email me the link' }).click()
}

const person = (id: string, name: string, change: object = {}) => ({
  ...{ id, name, title: 'Registered migration agent', registrationNumber: null },
  ...{ languages: ['English', 'Mandarin'], introduction: [{ id: 'a', text: 'Reads every question first.' }] },
  ...change,
})

const team = [
  person('mei', 'Mei Tan', { registrationNumber: '7654321' }),
  person('long', LONG_NAME, { registrationNumber: '7654322' }),
  person('arabic', 'محمد الأحمد', { title: null, languages: [], introduction: [] }),
]

const formPaths = ['/contact', '/contact?form=visa-assessment', '/contact?form=tracking']

const nameOfForm = (path: string) => path.split('=')[1] ?? 'enquiry'

/** Beside the home page and the forms, which have screens of their own. */
async function sitemapStates({ url }: Installation): Promise<readonly State[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text()
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = url]) => new URL(address).pathname,
  )
  return paths.filter(path => !['/', '/contact'].includes(path)).map(path => ({ path }))
}

async function openMenu(page: Page) {
  await page.getByText('Menu', { exact: true }).click({ force: true })
}

async function submit(page: Page) {
  await page.getByRole('button', { name: 'Send enquiry' }).click()
  await page.locator('.field-error').first().waitFor()
}

async function fillIn(page: Page) {
  await page.getByLabel('Your name').fill('Li Wei')
  await page.getByLabel('Email').fill('li.wei@example.com')
  await page.getByLabel('Phone').fill('+86 138 0013 8000')
  await page.getByLabel('Message').fill('I study in Melbourne until June, and would like to stay.')
}

const send = inOrder(fillIn, press('Send enquiry'), untilText('Your reference'))

async function failSending(page: Page) {
  await page.route('**/api/contact', route =>
    route.fulfill({ status: 422, json: { success: false, message: 'No' } }),
  )
}

const submitAgain = inOrder(press('Send enquiry'), until('[role=alert]:not(:empty)'))
