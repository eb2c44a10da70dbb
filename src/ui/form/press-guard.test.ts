import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { createPressGuard } from './press-guard.ts'

suite('Press guard', () => {
  function open() {
    let time = 0
    let editedAt = Number.NEGATIVE_INFINITY
    const once = createPressGuard(
      () => time,
      () => editedAt,
    )
    const sent: string[] = []
    let finish = () => {}
    return {
      sent,
      wait: (milliseconds: number) => {
        time += milliseconds
      },
      edit: () => {
        editedAt = time
      },
      press(what: string, lane?: string) {
        const run = () => {
          sent.push(what)
          return new Promise<void>(resolve => {
            finish = resolve
          })
        }
        once(run, what, lane)
      },
      async answer() {
        finish()
        await new Promise(setImmediate)
      },
    }
  }

  test('a button sends nothing while its first call runs, whatever the second press is for', () => {
    const button = open()
    button.press('a')
    button.wait(5000)
    button.press('a')
    button.press('b')
    assert.deepEqual(button.sent, ['a'])
  })

  test('the second half of a double click is ignored, even after a quick reply', async () => {
    const button = open()
    button.press('a')
    await button.answer()
    button.wait(299)
    button.press('a')
    assert.deepEqual(button.sent, ['a'])
    button.wait(1)
    button.press('a')
    assert.deepEqual(button.sent, ['a', 'a'])
  })

  test('the same press is sent again when a field was edited in between', async () => {
    const button = open()
    button.press('a')
    await button.answer()
    button.wait(100)
    button.edit()
    button.wait(100)
    button.press('a')
    assert.deepEqual(button.sent, ['a', 'a'])
  })

  test('a changed input is sent immediately after the first reply', async () => {
    const button = open()
    button.press('a')
    await button.answer()
    button.press('b')
    assert.deepEqual(button.sent, ['a', 'b'])
  })

  test('a button of one row does not wait for that of another row', () => {
    const button = open()
    button.press('first', 'first')
    button.press('second', 'second')
    button.press('first', 'first')
    assert.deepEqual(button.sent, ['first', 'second'])
  })
})

suite('Use of the press guard', () => {
  /** What a screen sends without a press. What is typed saves itself, one request at a time, which its test shows. */
  const BY_ITSELF = [
    'src/features/content-editor/editor/editor-session.ts',
    // The presses that begin and end an upload have their guard in `reply-files.tsx`.
    'src/features/inbox/attachments/uploads.ts',
    'src/features/inbox/drafts/drafts.ts',
    'src/features/inbox/presence/use-presence.ts',
  ]
  /** What a screen asks while somebody signs in elsewhere, one question after the other. */
  const ASKED_AGAIN = 'mailInSettings.checkSignIn'
  /** Has a guard of its own, since a reply goes on when its screen is left: one runs at a time. */
  const OUTGOING = 'src/features/inbox/replies/outgoing.ts'
  const GUARDED =
    /\b(useWrite|useChange|useMergeWrite|useLinkForm|usePressGuard|createPressGuard)(<[\s\S]*?>)?\(/

  const files = globSync('src/**/*.{ts,tsx}').filter(
    file => !/\.test\.ts$|\.server\.tsx?$|\/testing\//.test(file),
  )
  const buttons = files.filter(file => !BY_ITSELF.includes(file))
  const read = (file: string) => readFileSync(file, 'utf8')
  const isOf = (pattern: RegExp) => files.filter(file => pattern.test(read(file))).toSorted()

  const written = (file: string) =>
    [...read(file).matchAll(/\b(?:call|useChange)\((\w+\.\w+)/g)].map(([, name = '']) => name).filter(isWrite)

  test('only the guarded hook uses a mutation of React Query', () => {
    assert.deepEqual(isOf(/useMutation\(|MutationObserver\(.*client/), ['src/ui/form/use-write.ts'])
  })

  test('every file that makes a write call, other than autosave, uses the guarded hook or the guard itself', () => {
    const writers = buttons.filter(file => written(file).length > 0)
    assert.ok(writers.length >= 13)
    assert.deepEqual(writers.filter(file => !GUARDED.test(read(file))).toSorted(), [OUTGOING])
  })

  test('an API client is created in three files only, one of them for uploads that can be watched', () => {
    assert.deepEqual(isOf(/(?<!function )\bcreateApiClient\(/), [
      'src/features/pictures/upload.tsx',
      'src/features/site/staff-header.tsx',
      'src/ui/client.ts',
    ])
  })

  test('every write call of a button is double-clicked in an end-to-end test', () => {
    const endToEndTests = globSync('tests/e2e/{staff-click-twice*,owner-sets-up}.spec.ts').map(read).join()
    const names = new Set(buttons.flatMap(written).filter(name => name !== ASKED_AGAIN))
    assert.ok(names.size >= 33)
    assert.deepEqual(
      [...names].filter(name => !endToEndTests.includes(`'${name}'`)),
      [],
    )
  })
})

/** Calls that only read; any other call counts as a write. */
const READS = new Set([
  'apiReference.read',
  'apiTokens.list',
  'bulk.find',
  'cannedReplies.list',
  'claims.list',
  'content.check',
  'content.list',
  'content.open',
  'content.version',
  'content.versions',
  'conversation.entries',
  'dashboard.read',
  'facts.list',
  'figures.read',
  'logs.list',
  'settings.mailStatus',
  'messages.counts',
  'messages.list',
  'messages.options',
  'messages.read',
  'messages.rows',
  'moving.plan',
  'notices.list',
  'passwordLink.open',
  'pictures.list',
  'profile.sessions',
  'redirects.list',
  'samples.list',
  'savedViews.list',
  'settings.list',
  'settings.mail',
  'signIn.me',
  'signIn.pending',
  'users.list',
  'users.work',
])

const isWrite = (name: string) => !READS.has(name)
