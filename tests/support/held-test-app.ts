import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely'
import { serveApi } from '../../src/api.ts'
import { createHttpMetrics } from '../../src/http/metrics/http-metrics.ts'
import { type Browser, openBrowser } from './browser.ts'
import type { TestApp } from './test-app.ts'

/** The API of an office as one more node, whose work can be held after any of its statements. */
export interface HeldTestApp {
  /** A browser whose calls are held, with the cookies of another if one is given. */
  browser(like?: Browser): Browser
  /** Holds after so many statements from now. @returns when it holds. */
  holdAfter(statements: number): Promise<void>
  release(): void
}

/** Nothing of the product is replaced: the driver's answers come late, as they may. */
export function openHeldTestApp({ services }: TestApp): HeldTestApp {
  const brake = new Brake()
  const { app } = serveApi({
    ...services,
    db: services.db.withPlugin(brake),
    httpMetrics: createHttpMetrics(),
  })
  let addresses = 0
  return {
    browser(like) {
      const browser = openBrowser(app, services.config.publicUrl, `192.0.2.${++addresses % 250}`)
      for (const [name, value] of like?.cookies ?? []) browser.cookies.set(name, value)
      return browser
    },
    holdAfter: statements => brake.holdAfter(statements),
    release: () => brake.release(),
  }
}

class Brake implements KyselyPlugin {
  #left = 0
  #held = Promise.withResolvers<void>()
  #released = Promise.withResolvers<void>()

  async holdAfter(statements: number) {
    this.#held = Promise.withResolvers()
    this.#released = Promise.withResolvers()
    this.#left = statements
    await this.#held.promise
  }

  release() {
    this.#left = 0
    this.#released.resolve()
  }

  transformQuery({ node }: PluginTransformQueryArgs) {
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    if (this.#left > 0 && --this.#left === 0) {
      this.#held.resolve()
      await this.#released.promise
    }
    return result
  }
}
