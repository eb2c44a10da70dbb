import { expect } from '@playwright/test'
import { expectTexts } from './expect-texts.ts'
import { test } from './settings.ts'

test('the tabs are chosen by keys, and the address keeps the choice', async ({ admin }) => {
  await admin.goto('/settings')
  const tabs = admin.getByRole('tablist')
  await expectTexts(tabs, '/settings', 'General Settings', 'Email Settings')
  await expectTexts(tabs, '/settings', 'reCAPTCHA Settings', 'Email Integration')
  const tab = (name: string) => admin.getByRole('tab', { name })
  await tab('General Settings').focus()
  for (const [key, name] of [
    ['ArrowRight', 'Email Settings'],
    ['End', 'Email Integration'],
    ['ArrowRight', 'General Settings'],
    ['ArrowLeft', 'Email Integration'],
    ['Home', 'General Settings'],
    ['ArrowRight', 'Email Settings'],
    ['ArrowRight', 'reCAPTCHA Settings'],
  ] as const) {
    await admin.keyboard.press(key)
    await expect(tab(name)).toBeFocused()
    await expect(tab(name)).toHaveAttribute('aria-selected', 'true')
    await expect(admin.getByRole('tabpanel', { name })).toBeVisible()
  }
  await admin.reload()
  await expect(admin.getByRole('tabpanel', { name: 'reCAPTCHA Settings' })).toBeVisible()
  await expect(admin.getByRole('tab', { selected: true })).toHaveCount(1)
})

test('an admin sees an error when the settings cannot be loaded, and tries again', async ({ admin }) => {
  await admin.route(
    '**/api/settings',
    route => route.fulfill({ status: 503, json: { message: 'Not now' } }),
    {
      times: 1,
    },
  )
  await admin.goto('/settings')
  await expectTexts(admin, '/settings', 'Failed to fetch settings')
  await expect(admin.getByText('503: Not now')).toBeVisible()
  await admin.getByRole('button', { name: 'Try again' }).click()
  await expect(admin.getByLabel('Site name')).toBeVisible()
})
