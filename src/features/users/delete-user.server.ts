import { assertStillAdmin } from '../../auth/assert-still-admin.ts'
import { lockUser } from '../../auth/lock-user.ts'
import { lock } from '../../database/locks.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { HandlerContext } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Services } from '../../services.ts'
import { assertMayTake, releaseMessages } from '../inbox/release-messages.server.ts'
import { NO_SUCH_USER } from './change-user.server.ts'
import type { Deletion } from './contract.ts'
import { deleteUserWithoutAccess, isLastAdmin, keepName, takeAccess } from './store.server.ts'

type AdminCall = HandlerContext<'users', 'denied'>

/**
 * Deletes a user. From the first transaction on they have no access, and nobody gives them a message. What they have is
 * given to a colleague or to nobody, in as many transactions as it takes: where that fails, a repeat does the rest.
 * @throws {HttpError} 400, 401, 403, 404, 409
 */
export async function deleteUser(
  services: Services,
  { id, assignTo }: Deletion,
  call: AdminCall,
): Promise<void> {
  await assertMayTake(services.db, id, assignTo)
  await beginDeletion(services, id, call)
  const given = assignTo ? { toId: assignTo, byId: call.user.id } : undefined
  await releaseMessages(services, { userId: id, given, isAll: true })
  await inTransaction(services.db, async transaction => {
    if (!(await lockUser(transaction, id))) throwHttpError(404, NO_SUCH_USER)
    await keepName(transaction, services.clock, id)
    if (!(await deleteUserWithoutAccess(transaction, id)))
      throwHttpError(409, 'This user has been changed meanwhile, and was not deleted')
    await call.log.within(transaction, 'info', 'API', 'User deleted', { targetUserId: id })
  })
}

async function beginDeletion({ db }: Services, id: string, call: AdminCall) {
  await inTransaction(db, async transaction => {
    await lock(transaction, 'staff')
    await assertStillAdmin(transaction, call)
    const user = (await lockUser(transaction, id)) ?? throwHttpError(404, NO_SUCH_USER)
    if (user.is_default) throwHttpError(403, 'The default admin cannot be deleted')
    if (id === call.user.id) throwHttpError(403, 'You cannot delete your own account')
    if (await isLastAdmin(transaction, user)) throwHttpError(409, 'The last admin cannot be deleted')
    await takeAccess(transaction, id)
    await call.log.within(transaction, 'info', 'API', 'User deletion started', { targetUserId: id })
  })
}
