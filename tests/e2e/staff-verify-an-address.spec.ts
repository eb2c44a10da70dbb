import { expect } from '@playwright/test'
import { expectTexts } from './expect-texts.ts'
import { type Installation, signIn, test } from './installation.ts'
import { chooseRowAction } from './row-actions.ts'
import { addStaff } from './staff.ts'

async function readLink({ mailServer }: Installation, email: string): Promise<string> {
  const received = await mailServer.next(
    ({ recipients, text }) => recipients.includes(email) && /verify-email\?token=/.test(text ?? ''),
  )
  return /http\S+verify-email\?token=\S+/.exec(received.text ?? '')?.[0] ?? ''
}

test('the link in the email verifies the address, and its token leaves the address bar (E4)', async ({
  page,
  installation,
  browser,
}) => {
  const { name, email } = await addStaff(installation, 'Mina Asked Again', { email_verified: 0 })
  await signIn(page, installation)
  await page.goto('/users')
  await chooseRowAction(page, name, `Resend verification email: ${name}`)
  const link = await readLink(installation, email)

  const reader = await (await browser.newContext()).newPage()
  const referers: (string | undefined)[] = []
  reader.on('request', request => referers.push(request.headers().referer))
  const document = await reader.goto(link)
  expect(document?.headers()['referrer-policy']).toBe('no-referrer')
  await expectTexts(reader, '/verify-email', 'Your email has been verified successfully!')
  await expect(reader).toHaveURL(`${installation.url}/verify-email`)
  await reader.reload()
  await expect(reader.getByText('Your email has been verified successfully!')).toBeVisible()
  expect(referers.filter(Boolean)).toEqual([])
  expect(await reader.context().cookies()).toEqual([])
  await reader.getByRole('link', { name: 'Go to the sign-in' }).click()
  await expect(reader.getByRole('heading', { name: 'Login' })).toBeVisible()
  await reader.context().close()

  await page.reload()
  await expect(page.getByRole('row').filter({ hasText: email })).not.toContainText('Unverified')
  expect(installation.console()).not.toContain(new URL(link).searchParams.get('token'))
})
