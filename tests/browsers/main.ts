import { installProduct } from '../faults/product.ts'
import { openMailServer } from '../support/mail-server.ts'
import type { Driver } from './driver.ts'
import { openFirefox } from './firefox.ts'
import { findBrowsers } from './programs.ts'
import { filesStory, mailStory, staffStory, visitorStory } from './stories.ts'
import { openWebKit } from './webkit.ts'

/**
 * One visitor's and one member of staff's story, and those of hostile mails and files, in the engines that the end-to-end tests do not use, Gecko and WebKit:
 * `npm run test:browsers`. On Debian it installs both; elsewhere they must be there. The last line is the
 * count.
 */
const { firefox } = findBrowsers()
const mailServer = await openMailServer()
const product = await installProduct({ databaseUrl: null, smtpUrl: mailServer.url })
await product.start()
const count = { passed: 0, failed: 0 }

try {
  await tellStories(await openFirefox(firefox), 'Nadia Gecko')
  await tellStories(await openWebKit(), 'Nadia Kit')
} finally {
  await product.close()
  await mailServer.close()
}
say(`${count.passed} passed, ${count.failed} failed`)
process.exit(count.failed === 0 ? 0 : 1)

async function tellStories(browser: Driver, visitor: string) {
  say(browser.name)
  for (const story of [visitorStory, staffStory, mailStory, filesStory]) {
    const began = performance.now()
    const failure = await story.run(browser, { url: product.url, mailServer }, visitor).then(
      () => null,
      error => String(error),
    )
    count[failure ? 'failed' : 'passed']++
    say(`  ${failure ? '✖' : '✔'} ${story.title} (${Math.round(performance.now() - began)} ms)`)
    if (failure) say(`    ${failure}`)
  }
  await browser.close()
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
