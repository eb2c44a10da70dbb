import type { HonoApp } from '../http/api-router.ts'
import { respond } from '../http/representation.ts'
import { allowHeader, methodNotAllowed } from '../http/responses.ts'
import type { PictureFiles } from './picture-files.server.ts'

/** Serves the pictures that are not in memory; the others are sent before a request comes here. */
export function servePictures(
  app: HonoApp,
  files: PictureFiles,
  respondNotFound: (request: Request) => Promise<Response>,
): void {
  const path = '/pictures/:file'
  app.get(path, async ({ req }) => {
    const found = await files.fetch(req.path)
    return found ? respond(req.raw, found) : await respondNotFound(req.raw)
  })
  app.all(path, context => methodNotAllowed(context, allowHeader(['GET'])))
}
