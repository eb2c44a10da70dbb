import { type ApiRouter, serve } from '../../http/api-router.ts'
import { throwHttpError } from '../../http/http-error.ts'
import type { Credentials } from '../../http/request-checks.ts'
import { addPicture } from './add-picture.server.ts'
import { pictures as calls } from './contract.ts'
import { UPLOADS_PER_USER } from './limits.ts'
import { listPictures, toPicture } from './list-pictures.server.ts'
import { removePicture } from './remove-picture.server.ts'

/** Serves the pictures that staff put on the pages. Call it before the calls of documents, whose ids match its path. */
export function servePictures(router: ApiRouter): void {
  const { services } = router
  function takePlace({ user }: Pick<Credentials, 'user'>) {
    const id = user?.id ?? ''
    services.rateLimiter.check(UPLOADS_PER_USER, id)
    return services.pictures.encoder.takePlace(id) ?? throwBusy()
  }

  serve(
    router,
    calls.upload,
    async ({ bytes }, call) => {
      await services.rateLimiter.consume(UPLOADS_PER_USER, call.user.id)
      return { picture: toPicture(await addPicture(services, bytes, call)) }
    },
    { takePlace },
  )

  serve(router, calls.list, ({ after }) => listPictures(services, after))

  serve(router, calls.delete, async ({ id }, call) => {
    await removePicture(services, id, call)
    return {}
  })
}

function throwBusy(): never {
  throwHttpError(503, 'Other pictures are being converted. Please try again in a few seconds.', {
    retryAfter: 5,
    code: 'pictures_busy',
  })
}
