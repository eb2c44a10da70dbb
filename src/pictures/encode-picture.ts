import { buffer } from 'node:stream/consumers'
import { encodeLogo } from './encode-logo.ts'
import { encodePreview, encodeSizes } from './encode-sizes.ts'
import { writeOutcome } from './encoded.ts'
import { inspectPicture } from './inspect-picture.ts'
import type { PictureKind } from './sizes.ts'

/** A process of its own, which `encoder.server.ts` starts for one file: that in, all sizes out. */
const encoders = { picture: encodeSizes, logo: encodeLogo, preview: encodePreview }
const encode = encoders[process.argv.at(-1) as PictureKind]
const bytes = new Uint8Array(await buffer(process.stdin))
const inspected = inspectPicture(bytes)
const isPicture = inspected !== null && typeof inspected === 'object'
const outcome = isPicture ? await encode(inspected, bytes) : ({ refused: 'unreadable' } as const)
process.stdout.write(writeOutcome(outcome))
