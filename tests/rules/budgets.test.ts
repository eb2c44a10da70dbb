import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { screens } from '../../src/screens.ts'
import { publishDocument } from '../support/documents.ts'
import { findFirst, findLoaded, manifest, reach, weighOne } from '../support/page-weight.ts'
import { openSite } from '../support/site.ts'
import { createStaff, signInAs } from '../support/staff.ts'
import { openTestApp } from '../support/test-app.ts'

/** Bytes as they travel, in brotli where the file is text. */
const KB = 1000
const budgets = {
  html: 8 * KB,
  styles: 12 * KB,
  /** What reading must not wait for: the entry and what it imports. */
  scriptsBeforeLoad: 5 * KB,
  /** With React and every island, once the page is idle. */
  scripts: 66.1 * KB,
  /** Each picture and typeface of the first paint: what a slow line that they share brings in two round trips. */
  firstPaint: 11_200,
  /** Everything that the first visit loads, fonts and pictures too. */
  firstView: 180 * KB,
  signIn: 80 * KB,
  /** Up to the dashboard. */
  portal: 150 * KB,
  furtherScreen: 25 * KB,
  /** The list. */
  inbox: 30 * KB,
  /** An open message and what is written in it, loaded beside the list. Who answers enquiries is in both all day. */
  message: 14 * KB,
  /** With the form of every kind of document. Who opens one stays in it. */
  editor: 31 * KB,
  /** With ProseMirror, once a document with rich text is open. Brotli makes it 150 bytes more or less with another name of a file. */
  richText: 65.5 * KB,
}

/** Fetched when a visitor first touches the form, so not by hydration. */
const FORM_SUBMITTER = 'src/features/enquiry-form/form-submitter.ts'
/** Only the page of an enquiry has it. */
const OPEN_LINK = 'src/features/status/open-link.ts'
/** Only who is signed in loads it. */
const STAFF_HEADER = 'src/features/site/staff-header.tsx'
const INBOX = 'src/features/inbox/list/screen.tsx'
const MESSAGE = 'src/features/inbox/conversation/message-dialog.tsx'
/** What who signs in has loaded before any further screen. */
const FIRST = ['src/entries/portal.entry.tsx', 'src/features/dashboard/screen.tsx']
const EDITOR = 'src/features/content-editor/editor/editor-screen.tsx'
/** Only who opens a document with rich text loads it. */
const RICH_TEXT = 'src/features/content-editor/rich-text/editor.tsx'
const screenSources = Object.keys(manifest).filter(name => /[/-]screen\.tsx$/.test(name))
const staffSources = ['src/entries/portal.entry.tsx', 'src/entries/sign-in.entry.tsx', ...screenSources]

suite('Budgets of page weight', async () => {
  const testApp = await openTestApp()
  const { url, services } = await openSite(testApp)
  const editor = await signInAs(testApp, (await createStaff(testApp, 'editor')).email)
  for (const [kind, path] of [
    ['visa', '/visas/skills-in-demand-482'],
    ['article', '/news/new-fees'],
    ['page', '/fees'],
  ] as const)
    await publishDocument(editor, kind, { path, title: 'What it costs' })
  await services.content.refresh()
  const weigh = async (paths: Iterable<string>) => {
    const sizes = await Promise.all([...paths].map(path => weighOne(`${url}${path}`)))
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  const scripts = [
    ...reach(['src/entries/site.entry.ts'], {
      dynamic: true,
      without: [STAFF_HEADER, FORM_SUBMITTER, OPEN_LINK],
    }),
  ]

  for (const page of [
    '/',
    '/about-us',
    '/contact',
    '/visas',
    '/visas/skills-in-demand-482',
    '/news',
    '/news/new-fees',
    '/fees',
  ]) {
    test(`a first visit to ${page} stays within its budget`, async () => {
      const html = await (await fetch(`${url}${page}`)).text()
      const loaded = findLoaded(html)
      const styles = loaded.filter(path => path.endsWith('.css'))
      const isWithin = within(page)
      for (const path of findFirst(html)) within(path)('firstPaint', await weigh([path]))
      isWithin('html', await weigh([page]))
      isWithin('styles', await weigh(styles))
      isWithin('firstView', await weigh(new Set([page, ...loaded, ...scripts])))
    })
  }

  test('the scripts of each public page stay within their budget', async () => {
    const isWithin = within('public pages')
    isWithin('scriptsBeforeLoad', await weigh(reach(['src/entries/site.entry.ts'])))
    isWithin('scripts', await weigh(scripts))
  })

  test('no public page reaches the code of the portal or the sign-in', () => {
    const files = new Set(staffSources.map(source => `/${manifest[source]?.file}`))
    const reached = reach(['src/entries/site.entry.ts'], { dynamic: true })
    assert.deepEqual(
      [...reached].filter(file => files.has(file)),
      [],
    )
  })

  test('the scripts of the sign-in stay within their budget', async () => {
    within('/auth')('signIn', await weigh(reach(['src/entries/sign-in.entry.tsx'], { dynamic: true })))
  })

  test('the scripts of the portal and of each further screen stay within their budget', async () => {
    const first = reach(FIRST)
    within('/dashboard')('portal', await weigh(first))
    const open = [...reach([MESSAGE])].filter(file => !reach([...FIRST, INBOX]).has(file))
    within('an open message')('message', await weigh(open))
    assert.ok(screenSources.length >= screens.length)
    for (const source of screenSources) {
      const further = [...reach([source])].filter(file => !first.has(file))
      within(source)(budgetOf(source), await weigh(further))
    }
  })

  test('a script that loads a part later asks for no script that it has already', () => {
    let count = 0
    for (const [source, { file, dynamicImports = [] }] of Object.entries(manifest)) {
      if (dynamicImports.length === 0) continue
      const [, asked = ''] = /\.f=\[([^\]]*)\]/.exec(readFileSync(`build/browser/${file}`, 'utf8')) ?? []
      const loaded = reach([source])
      const again = asked.match(/[^",]+\.js/g)?.filter(name => loaded.has(`/${name}`)) ?? []
      assert.deepEqual(again, [], file)
      count += asked ? 1 : 0
    }
    assert.ok(count > 5)
  })

  /** Browsers keep what all such rules match in one set: with `*` in it, each insertion styles the whole page again. */
  test('no style of the portal matches every element below one that has something', () => {
    const styles = manifest['src/entries/portal.entry.tsx']?.css ?? []
    const rules = styles.flatMap(file => readFileSync(`build/browser/${file}`, 'utf8').split(/[{}]/))
    const selectors = rules.filter(rule => rule.includes(':has('))
    assert.ok(selectors.length > 20)
    assert.deepEqual(
      selectors.filter(selector => /:has\([^{,]*\)[^,(]*[\s>+~]\*/.test(selector)),
      [],
    )
  })

  test('the editor of rich text stays within its budget, and only a document loads it', async () => {
    const parts = ['editor/guided-editor.tsx', 'brand/brand-editor.tsx']
    const documents = [EDITOR, ...parts.map(part => `src/features/content-editor/${part}`)]
    const first = reach(['src/entries/portal.entry.tsx', EDITOR])
    const further = [...reach([RICH_TEXT])].filter(file => !first.has(file))
    within('rich text')('richText', await weigh(further))
    const others = reach(['src/entries/portal.entry.tsx'], { dynamic: true, without: documents })
    for (const scripts of [first, others, reach(['src/entries/site.entry.ts'], { dynamic: true })])
      assert.deepEqual(
        further.filter(file => scripts.has(file)),
        [],
      )
  })
})

function budgetOf(source: string): keyof typeof budgets {
  if (source === EDITOR) return 'editor'
  return source === INBOX ? 'inbox' : 'furtherScreen'
}

function within(what: string) {
  return (name: keyof typeof budgets, size: number) => {
    assert.ok(size > 0 || name === 'furtherScreen', `${what}: nothing was weighed for ${name}`)
    assert.ok(size <= budgets[name], `${what}: ${name} is ${size} bytes, at most ${budgets[name]}`)
  }
}
