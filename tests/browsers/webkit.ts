import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Builder, Capabilities, type WebElement } from 'selenium-webdriver'
import { freePort } from '../../bench/process.ts'
import { type Driver, findInPage, kinds, waitFor } from './driver.ts'

/**
 * WebKit in the small browser that comes with WebKitGTK and is what its driver starts. It has no mode without a screen, so both
 * run on a screen in memory, with a home folder of their own.
 */
export async function openWebKit(): Promise<Driver> {
  const home = mkdtempSync(join(tmpdir(), 'landfall-webkit-'))
  const port = await freePort()
  const service = startService(port, home)
  const address = `http://127.0.0.1:${port}`
  await waitFor(async () => (await fetch(`${address}/status`)).ok, 'the driver of WebKit')
  const browser = await new Builder()
    .usingServer(address)
    .withCapabilities(new Capabilities({ browserName: 'MiniBrowser' }))
    .build()
  await browser.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 1000 })
  const capabilities = await browser.getCapabilities()
  return {
    name: `WebKit ${capabilities.getBrowserVersion()}`,
    open: url => browser.get(url),
    async find(kind, name) {
      const element = await waitFor(
        () => browser.executeScript<WebElement | null>(findInPage, kinds[kind], name),
        `${kind} ${name}`,
      )
      return {
        click: () => element.click(),
        type: text => element.sendKeys(text),
      }
    },
    path: async () => new URL(await browser.getCurrentUrl()).pathname,
    async close() {
      await browser.quit().catch(() => {})
      if (service.pid) process.kill(-service.pid)
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** In a process group of its own, so that all of it can be ended together. */
function startService(port: number, home: string): ChildProcess {
  return spawn('xvfb-run', ['-a', 'WebKitWebDriver', `--port=${port}`], {
    stdio: 'ignore',
    detached: true,
    env: {
      ...process.env,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      // The sandbox of WebKit wants namespaces, which a container seldom permits; the pages are our own.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  })
}
