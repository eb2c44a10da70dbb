import { lockContent } from '../../content/documents.server.ts'
import { inTransaction } from '../../database/transaction.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { AuditLog } from '../../log/logger.ts'
import { deletePicture, findPicture } from '../../pictures/store.server.ts'
import { listUses } from '../../pictures/uses.server.ts'
import type { Services } from '../../services.ts'
import { toUse } from './list-pictures.server.ts'

/** Deletes a picture that nothing needs. A page that goes live meanwhile keeps it. @throws {HttpError} 404, 409 */
export async function removePicture(
  { db, clock, pictures }: Pick<Services, 'db' | 'clock' | 'pictures'>,
  id: string,
  { log }: { readonly log: AuditLog },
): Promise<void> {
  await inTransaction(db, async transaction => {
    await lockContent(transaction)
    if (!(await findPicture(transaction, id))) throwHttpError(404, 'There is no such picture')
    const uses = (await listUses(transaction, clock(), [id])).filter(({ isNeeded }) => isNeeded)
    if (uses.length > 0)
      throwHttpError(409, 'This picture is in use', {
        code: 'picture_in_use',
        fields: { uses: uses.map(toUse) },
      })
    await deletePicture(transaction, id)
    await log.within(transaction, 'info', 'API', 'Picture deleted', { picture: id })
  })
  pictures.files.forget(id)
}
