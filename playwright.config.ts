import { defineConfig } from '@playwright/test'

/** What Playwright itself turns off: the browser heeds only the last such list. */
const offForPlaywright = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** The list below the address bar is two pages of its own in every new context: most of a second of processor time. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** Journeys run against the built product, each worker with an installation of its own. */
export default defineConfig({
  // The longest files first, so that no worker is left alone at the end.
  projects: [
    // Every screen in every state, looked at once.
    { name: 'gallery', testDir: 'tests/gallery' },
    { name: 'end-to-end', testDir: 'tests/e2e' },
    // Components in a page of their own, with an API that the test answers for.
    { name: 'components', testDir: 'tests/components' },
  ],
  outputDir: 'test-results',
  // One more than the cores of the smallest machine: a browser waits for a server, and a server for a disk.
  workers: 3,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // Longer than anything takes on a machine at rest: on a busy one a test is slow, not wrong.
  timeout: 120_000,
  expect: { timeout: 15_000 },
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
        // A page of a test lives for seconds: to optimise its scripts costs more than it saves, and with room for young
        // objects (in megabytes) most of them are never copied.
        '--js-flags=--no-opt --no-maglev --min-semi-space-size=16 --max-semi-space-size=32',
        `--disable-features=${[...offForPlaywright, ...addressBar].join()}`,
      ],
    },
    locale: 'en-AU',
    timezoneId: 'Australia/Sydney',
    // What moves is drawn again for each of its frames. The slides, whose subject it is, ask for it.
    reducedMotion: 'reduce',
    actionTimeout: 20_000,
  },
})
