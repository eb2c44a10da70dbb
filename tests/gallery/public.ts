import type { Page } from '@playwright/test'
import { changeSite } from '../e2e/documents.ts'
import type { Installation } from '../e2e/installation.ts'
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
    title: 'The page of the team',
    as: 'admin',
    states: async () => [
      { path: '/team', before: page => changeSite(page, { team }) },
      { path: '/about-us', name: 'about-us-with-a-team' },
    ],
  },
]

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
