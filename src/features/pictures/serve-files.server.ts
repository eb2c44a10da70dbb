import { requestContext } from '../../http/api-router.ts'
import { HttpError } from '../../http/http-error.ts'
import { respond } from '../../http/representation.ts'
import { authenticate } from '../../http/request-checks.ts'
import { type AppContext, allowHeader, type HonoApp, methodNotAllowed } from '../../http/responses.ts'
import type { Services } from '../../services.ts'
import { pictures as calls } from './contract.ts'

/**
 * Serves the pictures that are not in memory; the others are sent before a request comes here. What no live page uses is for
 * those who may read content. Everybody else gets the same 404, whether there is such a picture or not.
 */
export function servePictureFiles(
  app: HonoApp,
  services: Services,
  respondNotFound: (request: Request) => Promise<Response>,
  redirect: (to: string) => Response,
): void {
  const { files } = services.pictures
  const path = '/pictures/:file'
  app.get(path, async context => {
    const { req } = context
    const found = await files.fetch(req.path)
    if (found) return respond(req.raw, found)
    const movedTo = await files.findMoved(req.path)
    if (movedTo) return redirect(movedTo)
    const own = (await mayRead(services, context)) && (await files.fetchPrivate(req.path))
    return own ? respond(req.raw, own) : await respondNotFound(req.raw)
  })
  app.all(path, context => methodNotAllowed(context, allowHeader(['GET'])))
}

/** By the same rule as the list of pictures. */
async function mayRead(services: Services, context: AppContext): Promise<boolean> {
  const { cookies } = requestContext(services, context)
  try {
    await authenticate(services, context, cookies, calls.list)
    return true
  } catch (error) {
    if (error instanceof HttpError && (error.status === 401 || error.status === 403)) return false
    throw error
  }
}
