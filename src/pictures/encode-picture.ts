import { buffer } from 'node:stream/consumers'
import { encodeSizes } from './encode-sizes.ts'
import { writeOutcome } from './encoded.ts'
import { inspectPicture } from './inspect-picture.ts'

/** A process of its own, which `encoder.server.ts` starts for one picture: the file in, all sizes out. */
const bytes = new Uint8Array(await buffer(process.stdin))
const inspected = inspectPicture(bytes)
const isPicture = inspected !== null && typeof inspected === 'object'
const outcome = isPicture ? await encodeSizes(inspected, bytes) : ({ refused: 'unreadable' } as const)
process.stdout.write(writeOutcome(outcome))
