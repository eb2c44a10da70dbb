import type { TestMutation } from './mutation.ts'

const hostile = 'src/features/pictures/hostile-pictures.test.ts'
const calls = 'src/features/pictures/pictures.test.ts'
const uses = 'src/features/pictures/uses.test.ts'
const encoder = 'src/pictures/encoder.test.ts'
const structure = 'src/pictures/inspect-picture.test.ts'
const files = 'src/pictures/picture-files.test.ts'
const rules = 'src/pictures/picture-rules.ts'
const child = 'src/pictures/child-process.server.ts'
const adding = 'src/features/pictures/add-picture.server.ts'

/** What an uploaded picture may do: nothing but show. */
export const pictureMutations: readonly TestMutation[] = [
  {
    name: 'A picture of too many pixels is not decoded',
    file: rules,
    text: 'if (width * height > MAX_PIXELS)',
    instead: 'if (width * height > 1e12)',
    test: hostile,
    named: 'is refused as a picture',
  },
  {
    name: 'A picture without its end is not decoded',
    file: 'src/pictures/inspect-jpeg.ts',
    text: 'if (bytes[at + 1] === END) return frame',
    instead: 'return frame',
    test: structure,
    named: 'ends anywhere',
  },
  {
    name: 'An animation is refused',
    file: 'src/pictures/inspect-png.ts',
    text: "if (type === 'acTL') return 'animated'",
    instead: '',
    test: hostile,
    named: 'is refused as a picture',
  },
  {
    name: 'The larger of two sizes of a WebP counts',
    file: 'src/pictures/inspect-webp.ts',
    text: 'canvas = largest(canvas, size)',
    instead: 'canvas = size',
    test: structure,
    named: 'of two sizes',
  },
  {
    name: 'A second frame of a JPEG is refused',
    file: 'src/pictures/inspect-jpeg.ts',
    text: 'if (frame || !FRAMES',
    instead: 'if (!FRAMES',
    test: structure,
    named: 'second frame',
  },
  {
    name: 'No marker of a JPEG hides a frame',
    file: 'src/pictures/inspect-jpeg.ts',
    text: '!hasLength(marker) || ',
    instead: '',
    test: structure,
    named: 'hides a large frame',
  },
  {
    name: 'The process that decodes may read its own code only',
    file: child,
    text: "  '--permission',\n",
    instead: '',
    test: encoder,
    named: 'nothing else',
  },
  {
    name: 'The process that decodes gets no environment',
    file: child,
    text: "env: {},\n    stdio: ['pipe'",
    instead: "stdio: ['pipe'",
    test: encoder,
    named: 'no environment',
  },
  {
    name: 'One picture is decoded at a time',
    file: 'src/pictures/encoder.server.ts',
    text: 'last.then(async () => readOutcome(await run(bytes, closing.signal)))',
    instead: 'run(bytes, closing.signal).then(readOutcome)',
    test: encoder,
    named: 'one upload at a time',
  },
  {
    name: 'The process that decodes ends with the server',
    file: 'src/pictures/encoder.server.ts',
    text: '      closing.abort()\n',
    instead: '',
    test: encoder,
    named: 'ends with the server',
  },
  {
    name: 'The output of that process is checked',
    file: 'src/pictures/read-outcome.server.ts',
    text: "  if (!isComplete(picture)) throw new Error('The output is not a picture in all sizes')\n",
    instead: '',
    test: encoder,
    named: 'not believed',
  },
  {
    name: 'The process that decodes ends in time',
    file: child,
    text: 'AbortSignal.any([signal, timeout])',
    instead: 'signal',
    test: encoder,
    named: 'takes too long',
  },
  {
    name: 'One user holds few of the places',
    file: 'src/pictures/encoder.server.ts',
    text: ' || own >= MAX_PLACES_PER_USER',
    instead: '',
    test: calls,
    named: 'may not add one',
  },
  {
    name: 'A place is taken before an upload is read',
    file: 'src/http/api-router.ts',
    text: '      leavePlace = limits.takePlace?.(credentials) ?? leavePlace\n',
    instead: '',
    test: calls,
    named: 'may not add one',
  },
  {
    name: 'A user cannot upload without end',
    file: 'src/features/pictures/api.server.ts',
    text: '      await services.rateLimiter.consume(UPLOADS_PER_USER, call.user.id)\n',
    instead: '',
    test: calls,
    named: 'without end',
  },
  {
    name: 'The quota holds',
    file: adding,
    text: 'if (used + bytes <= QUOTA) return',
    instead: 'return',
    test: calls,
    named: 'quota',
  },
  {
    name: 'A picture that a page needs is not deleted',
    file: 'src/features/pictures/remove-picture.server.ts',
    text: 'if (uses.length > 0)',
    instead: 'if (uses.length > 1e9)',
    test: uses,
    named: 'needed by drafts',
  },
  {
    name: 'A publication waits for the deletion of its picture',
    file: 'src/features/pictures/remove-picture.server.ts',
    text: '    await lockContent(transaction)\n',
    instead: '',
    test: uses,
    named: 'waits for a deletion',
    onPostgres: true,
  },
  {
    name: 'A page with a missing picture is not published',
    file: 'src/features/content-editor/version-of-draft.server.ts',
    text: "missing.map(path => [path, 'This picture has been deleted'])",
    instead: '[]',
    test: uses,
    named: 'missing picture',
  },
  {
    name: 'A page does not come back live without its picture',
    file: 'src/features/content-editor/archive.server.ts',
    text: '    await assertPictures(transaction, body)\n',
    instead: '',
    test: uses,
    named: 'comes back from deletion',
  },
  {
    name: 'Pictures in memory are counted',
    file: 'src/pictures/picture-files.server.ts',
    text: 'if (size > limit) drop(oldest)',
    instead: 'if (size > 1e12) drop(oldest)',
    test: files,
    named: 'memory',
  },
]
