import type { Transaction } from '../../src/database/transaction.ts'
import { erasePerson } from '../../src/features/privacy/erase.server.ts'
import type { TestApp } from './test-app.ts'

/** What happens in the transaction of an erasure, before it and at its end, which also stands for what is stored just after it. */
export interface Meanwhile {
  readonly before?: () => void
  readonly after?: (transaction: Transaction) => Promise<void>
}

/** Erases a person while something happens. */
export async function eraseWhile(
  { services }: Pick<TestApp, 'services'>,
  email: string,
  { before, after }: Meanwhile = {},
) {
  const erased: typeof services.erased = {
    ...services.erased,
    async addAddress(...args) {
      before?.()
      await services.erased.addAddress(...args)
    },
  }
  const within: typeof services.log.within = async (transaction, ...entry) => {
    await services.log.within(transaction, ...entry)
    await after?.(transaction)
  }
  const changed = { ...services, erased, log: Object.assign(services.log.bind(null), { within }) }
  return await erasePerson(changed, email, 'ER-TEST-0001')
}
