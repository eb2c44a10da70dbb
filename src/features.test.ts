import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { suite, test } from 'node:test'

/** Beside contracts, all that features take from one another. Who needs one more moves it up, or says why not here. */
const allowed: Readonly<Record<string, string>> = {
  'site → enquiry-form/get-in-touch.tsx': 'the pages show the forms',
  'site → enquiry-form/form.tsx': 'the list of islands has the forms',
  'site → enquiry-form/form-texts.ts': 'a page names its form as the form names itself',
  'site → dashboard/contract-samples.ts': 'staff see above a page what visitors do not',
  'enquiry-form → site/editable.ts': 'the privacy notice names its fields as pages do',
  'enquiry-form → site/figures.tsx': 'and its figures end as all figures do',
  'enquiry-form → site/island.tsx': 'the forms are an island in a page',
  'enquiry-form → site/site-settings.ts': 'the forms show the settings of the site, and when an answer comes',
  'enquiry-form → site/contact-details.tsx': 'the hours and the phone number are beside the form',
  'enquiry-form → site/office-times.ts': 'and within how many office hours',
  'enquiry-form → site/contact.page.tsx': 'without JavaScript the answer to a form is a page',
  'enquiry-form → site/serve-pages.server.tsx': 'which are drawn as all pages are',
  'content-editor → site/serve-pages.server.tsx': 'a preview of a draft is rendered as all pages are',
  'content-editor → site/site-settings.ts': 'with the draft in place of what is live',
  'content-editor → site/editable.ts': 'and names the fields that cannot be shown',
  'content-editor → pictures/choose-picture.tsx': 'the form of a document has fields for pictures',
  'content-editor → pictures/library.tsx': 'and the content screen lists all of them',
  'users → inbox/release-messages.server.ts': 'what a person can no longer answer is assigned to nobody',
  'privacy → logs/store.server.ts': 'the log deletes its own entries, on request or when they are old',
}

suite('Imports between features', () => {
  const taken = imports()

  test('a feature imports only the contract of another and what is listed here', () => {
    assert.deepEqual(
      [...taken].filter(edge => !edge.endsWith('/contract.ts') && !(edge in allowed)),
      [],
    )
  })

  test('every listed import between features is used', () => {
    assert.deepEqual(
      Object.keys(allowed).filter(edge => !taken.has(edge)),
      [],
    )
  })
})

/** What the sources of each feature, without tests, name of another: `site → enquiry-form/form.tsx`. */
function imports(): Set<string> {
  const files = globSync('src/features/*/**/*.{ts,tsx}').filter(file => !file.endsWith('.test.ts'))
  return new Set(files.flatMap(file => edgesOf(file.replaceAll('\\', '/'))))
}

function edgesOf(file: string): string[] {
  const names = readFileSync(file, 'utf8').matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)
  return [...names].flatMap(([, name = '']) => {
    const path = posix.join(posix.dirname(file), name)
    const [, , feature, ...rest] = path.split('/')
    const own = file.split('/')[2]
    return path.startsWith('src/features/') && feature !== own
      ? [`${own} → ${feature}/${rest.join('/')}`]
      : []
  })
}
