import { defineConfig } from '@playwright/test'

/** Journeys run against the built product, each worker with an installation of its own. */
export default defineConfig({
  testDir: 'journeys',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  use: {
    launchOptions: {
      executablePath: process.env.BROWSER ?? '',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    locale: 'en-AU',
    timezoneId: 'Australia/Sydney',
    actionTimeout: 10_000,
  },
})
