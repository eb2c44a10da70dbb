import { buffer } from 'node:stream/consumers'
import { encodeLogo } from './encode-logo.ts'
import { encodeSizes } from './encode-sizes.ts'
import { writeOutcome } from './encoded.ts'
import { inspectPicture } from './inspect-picture.ts'

/** A process of its own, which `encoder.server.ts` starts for one picture or logo: the file in, all sizes out. */
const encode = process.argv.includes('logo') ? encodeLogo : encodeSizes
const bytes = new Uint8Array(await buffer(process.stdin))
const inspected = inspectPicture(bytes)
const isPicture = inspected !== null && typeof inspected === 'object'
const outcome = isPicture ? await encode(inspected, bytes) : ({ refused: 'unreadable' } as const)
process.stdout.write(writeOutcome(outcome))
