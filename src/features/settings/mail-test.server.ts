import { hash } from 'node:crypto'
import type { Config } from '../../config.ts'
import { findMailSource } from './mail-source.server.ts'
import type { Settings } from './store.server.ts'

/** Whether somebody has seen that emails can be sent the way they are sent now. */
export interface MailTest {
  /** Identifies the way in which emails are sent now, with its password or key. */
  current(): Promise<string>
  /** Records that an email was sent in this way. */
  record(tested: string): Promise<void>
  /** Whether one was sent since the way last changed. */
  isPassed(): Promise<boolean>
}

export function createMailTest(config: Config, settings: Settings): MailTest {
  const current = async () => hash('sha256', JSON.stringify(await findMailSource(config, settings)))
  return {
    current,
    record: async tested => await settings.write('mail_tested', tested),
    isPassed: async () => (await settings.secret('mail_tested')) === (await current()),
  }
}
