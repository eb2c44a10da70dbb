import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { noteText, paneOf, readConversation, readState, replyText } from './conversation.ts'
import { toast } from './expect-texts.ts'
import { fill, named } from './inbox.ts'
import { type Installation, signIn, testApart } from './installation.ts'
import { addStaff } from './staff.ts'
import { tabTo } from './tab-to.ts'

const test = testApart()

/** One of the two, and how they work: with keys alone, or with a finger. */
interface Person {
  readonly page: Page
  readonly id: string
  readonly name: string
  /** Presses a control, or the key that stands for it. */
  use(control: Locator, key?: string): Promise<void>
}

/** Each of the two does each of these to one enquiry, in this order; the last is done from an enquiry before it. */
const jobs = ['reply', 'note', 'assign', 'snooze', 'spam', 'undo', 'call', 'older', 'close', null] as const
const jobOf = (at: number) => jobs[Math.floor(at / 2)] ?? null
/** How far the older enquiry of the same person is from the newer one. */
const TO_OLDER = 4
const NAME = 'Visitor'
const nameOf = (at: number) => `${NAME} ${at}`
const textOf = (at: number) => `About the enquiry of ${nameOf(at)}`

const paneAt = ({ page }: Person, at: number) => paneOf(page, nameOf(at))
const button = (pane: Locator, name: string | RegExp) =>
  pane.getByRole('button', { name }).filter({ visible: true }).first()
const menu = (pane: Locator, label: string) =>
  pane
    .locator(`summary:has-text("${label}"), summary[aria-label="${label}"]`)
    .filter({ visible: true })
    .first()
const choice = (pane: Locator, name: string | RegExp) =>
  pane.locator('.menu-panel').getByRole('button', { name })

test('two people work through twenty enquiries at once, by keys in the dark and on a phone, and each change is made to the one on the screen', async ({
  browser,
  installation,
}) => {
  test.slow()
  const mei = await begin(browser, installation, 'Mei Tanaka', {
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
  })
  const tom = await begin(browser, installation, 'Tom Okafor', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const mine = [mei, tom]
  const ids = await fill(
    installation,
    named(NAME, 2 * jobs.length).map(({ name }, at) => ({
      ...{ name, phone: null },
      // Who asks again does so under the same address.
      email: `visitor${jobOf(at) === null ? at - TO_OLDER : at}@visitor.test`,
    })),
  )
  await Promise.all(mine.map(openFirst))
  // Both have the first one open, and write about it at the same moment.
  await Promise.all(mine.map(who => writeNote(who, 0, `${who.name} is here`)))
  await Promise.all(mine.map((who, turn) => workThrough(who, mine[1 - turn] ?? who, turn)))

  for (const { page } of mine) {
    const changes = await page.evaluate(() => Reflect.get(window, 'changes'))
    expect(changes.length).toBeGreaterThan(jobs.length)
    for (const { id, shown } of changes) expect(shown).toContain(nameOf(ids.indexOf(id)))
  }
  for (const [at, id] of ids.entries()) {
    const { status, assignee_id, snoozed_until } = await readState(installation, id)
    const said = await readConversation(installation, id)
    expect([at, status, assignee_id, snoozed_until !== null, said.sort()]).toEqual(outcomeOf(at, mei, tom))
  }
  const { emails } = installation.mailServer
  const sent = () => emails.filter(({ recipients }) => recipients.some(it => it.endsWith('@visitor.test')))
  await expect.poll(() => sent().length).toBe(2)
  expect(
    sent()
      .map(({ recipients, text }) => [recipients, text?.split('\n')[0]])
      .sort(),
  ).toEqual([
    [['visitor0@visitor.test'], textOf(0)],
    [['visitor1@visitor.test'], textOf(1)],
  ])
  for (const { page } of mine) await page.context().close()
})

/** Signs somebody in, and keeps which message each change is about and which one is on the screen then. */
async function begin(
  browser: Browser,
  installation: Installation,
  name: string,
  device: Parameters<Browser['newContext']>[0],
): Promise<Person> {
  const context = await browser.newContext({ ...device, baseURL: installation.url })
  const page = await context.newPage()
  const colleague = await addStaff(installation, name, { role: 'editor', inbox: 'answer' })
  await signIn(page, installation, colleague)
  await page.addInitScript(() => {
    localStorage.setItem('landfall-open-next', 'off')
    const changes: object[] = []
    const { fetch } = window
    Object.assign(window, { changes })
    window.fetch = (url, init) => {
      const [, id] = /^\/api\/messages\/([^/]{36})(?:$|\/(?:replies|notes|calls))/.exec(String(url)) ?? []
      const shown = document.querySelector('.inbox-pane h2')?.textContent
      if (id && init?.method && init.method !== 'GET') changes.push({ id, shown })
      return fetch(url, init)
    }
  })
  const byKeys = async (control: Locator, key?: string) => {
    if (!key) await tabTo(page, control)
    await page.keyboard.press(key ?? 'Enter')
  }
  const use = device?.hasTouch ? async (control: Locator) => await control.tap() : byKeys
  return { page, id: colleague.id, name, use }
}

async function openFirst(who: Person) {
  await who.page.goto('/messages')
  await who.use(who.page.getByRole('link', { name: nameOf(0), exact: true }))
  await expect(button(paneAt(who, 0), /^Reply/)).toBeVisible()
}

/** Looks at each enquiry in turn, and does what has to be done to every second one. */
async function workThrough(who: Person, other: Person, turn: number) {
  for (let at = 0; at < 2 * jobs.length; at++) {
    const pane = paneAt(who, at)
    // What the other one has marked as spam is in the list no more.
    await expect(pane.or(paneAt(who, at + 1))).toBeVisible()
    if (!(await pane.isVisible())) continue
    await expect(button(pane, /^Reply/)).toBeVisible()
    const job = at % 2 === turn ? jobOf(at) : null
    if (job) await work[job](who, at, other)
    if (at < 2 * jobs.length - 1) await who.use(button(pane, 'Older enquiry'), 'ArrowRight')
  }
}

type Work = (who: Person, at: number, other: Person) => Promise<void>

const work: Readonly<Record<NonNullable<(typeof jobs)[number]>, Work>> = {
  /** Takes the first one back, and sends what it has become. */
  async reply(who, at) {
    const pane = paneAt(who, at)
    await who.use(button(pane, /^Reply/), 'r')
    await expect(replyText(pane)).toBeFocused()
    await who.page.keyboard.type('The first thought')
    await sendReply(who, pane)
    await expect(pane.getByText(/^Sending in/)).toBeVisible()
    await who.use(button(pane, /^Undo/), 'z')
    await expect(replyText(pane)).toHaveValue('The first thought')
    await expect(replyText(pane)).toBeFocused()
    await who.page.keyboard.press('Control+a')
    await who.page.keyboard.type(textOf(at))
    await sendReply(who, pane)
    await expect(pane.getByText('Sending, not out yet')).toBeVisible()
  },
  note: async (who, at) => await writeNote(who, at, textOf(at)),
  async assign(who, at, other) {
    const pane = paneAt(who, at)
    await who.use(menu(pane, 'Assign'), 'a')
    await who.use(choice(pane, other.name))
    await expect(toast(who.page)).toContainText(`Assigned to ${other.name}`)
  },
  async snooze(who, at) {
    const pane = paneAt(who, at)
    await who.use(menu(pane, 'Snooze'), 's')
    await who.use(choice(pane, /^Tomorrow/))
    await expect(toast(who.page)).toContainText('Snoozed until')
  },
  async spam(who, at) {
    const pane = paneAt(who, at)
    await who.use(menu(pane, 'More actions'))
    await who.use(choice(pane, 'Mark as spam'))
    await expect(button(pane, 'Not spam')).toBeVisible()
  },
  async undo(who, at) {
    await work.close(who, at, who)
    await who.use(toast(who.page).getByRole('button', { name: 'Undo' }))
    await expect(button(paneAt(who, at), /^Close enquiry/)).toBeVisible()
  },
  async call(who, at) {
    const pane = paneAt(who, at)
    await who.use(menu(pane, 'More actions'))
    await who.use(choice(pane, 'Add phone call'))
    await expect(pane.getByRole('textbox', { name: 'What was said' })).toBeFocused()
    await who.page.keyboard.type(textOf(at))
    await expectAccessible(who.page)
    await who.use(button(pane, 'Add phone call'), 'Control+Enter')
    await expect(pane.getByText(`called ${NAME}`)).toBeVisible()
  },
  /** Goes to the older enquiry of the same person and back. */
  async older(who, at) {
    await goToOther(who, at, at + TO_OLDER)
    await writeNote(who, at + TO_OLDER, textOf(at + TO_OLDER))
    await goToOther(who, at + TO_OLDER, at)
  },
  async close(who, at) {
    const pane = paneAt(who, at)
    await who.use(button(pane, /^Close enquiry/), 'e')
    await expect(toast(who.page)).toContainText('Enquiry closed')
    await expect(button(pane, /^Reopen/)).toBeVisible()
  },
}

/** The thread may show a reply before its sending has ended, and until then keys are for its text. */
async function sendReply(who: Person, pane: Locator) {
  await who.use(button(pane, /^Send reply/), 'Control+Enter')
  await expect(replyText(pane)).toBeHidden()
}

async function writeNote(who: Person, at: number, text: string) {
  const pane = paneAt(who, at)
  await who.use(button(pane, /^Note/), 'n')
  await expect(noteText(pane)).toBeFocused()
  await who.page.keyboard.type(text)
  await who.use(button(pane, /^Add note/), 'Control+Enter')
  await expect(pane.getByText(text)).toBeVisible()
  await expect(noteText(pane)).toBeHidden()
}

async function goToOther(who: Person, from: number, to: number) {
  const pane = paneAt(who, from)
  const link = pane.locator('.inbox-others').getByRole('link')
  if (!(await link.isVisible())) await who.use(pane.getByText(/^Details and/))
  // What a colleague does may move the link in the moment of a tap, which then meets nothing.
  const other = button(paneAt(who, to), /^Reply/)
  await expect(async () => {
    if (!(await other.isVisible())) await who.use(link)
    await expect(other).toBeVisible({ timeout: 5000 })
  }).toPass()
}

/** What the database must have of an enquiry afterwards. */
function outcomeOf(at: number, mei: Person, tom: Person) {
  const job = jobOf(at)
  const status = { reply: 'waiting', spam: 'spam', close: 'closed' }[String(job)] ?? 'open'
  const kind = { reply: 'reply', note: 'note', call: 'call', null: 'note' }[String(job)]
  const said = kind ? [`${kind}: ${textOf(at)}`] : []
  const notes = at === 0 ? [mei, tom].map(({ name }) => `note: ${name} is here`) : []
  const [worker, other] = at % 2 === 0 ? [mei, tom] : [tom, mei]
  // Who replies first is assigned.
  const assignee = { reply: worker.id, assign: other.id }[String(job)] ?? null
  return [at, status, assignee, job === 'snooze', [...notes, ...said].sort()]
}
