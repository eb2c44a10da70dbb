import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readImports } from '../../scripts/imports.ts'

/** Beside contracts, all that features take from one another. Who needs one more moves it up, or says why not here. */
const allowed: Readonly<Record<string, string>> = {
  'site → enquiry-form/get-in-touch.tsx': 'the pages show the forms',
  'site → enquiry-form/form.tsx': 'the list of islands has the forms',
  'site → enquiry-form/form-texts.ts': 'a page names its form as the form names itself',
  'site → dashboard/contract-samples.ts': 'staff see above a page what visitors do not',
  'enquiry-form → site/blocks/editable.ts': 'the privacy notice names its fields as pages do',
  'enquiry-form → site/blocks/figures.tsx': 'and its figures end as all figures do',
  'enquiry-form → site/island.tsx': 'the forms are an island in a page',
  'enquiry-form → site/site-settings.ts': 'the forms show the settings of the site, and when an answer comes',
  'enquiry-form → site/contact/contact-details.tsx': 'the hours and the phone number are beside the form',
  'enquiry-form → site/contact/office-times.ts': 'and within how many office hours',
  'enquiry-form → site/contact/contact.page.tsx': 'without JavaScript the answer to a form is a page',
  'enquiry-form → site/serve-pages.server.tsx': 'which are drawn as all pages are',
  'content-editor → site/serve-pages.server.tsx': 'a preview of a draft is rendered as all pages are',
  'content-editor → site/site-settings.ts': 'with the draft in place of what is live',
  'content-editor → site/blocks/editable.ts': 'and names the fields that cannot be shown',
  'content-editor → site/live-documents.ts': 'a link leads nowhere if pages would not show it',
  'content-editor → pictures/choose-picture.tsx': 'the form of a document has fields for pictures',
  'content-editor → pictures/upload.tsx': 'that of the brand has the logo',
  'content-editor → pictures/library.tsx': 'and the content screen lists all of them',
  'inbox → enquiry-form/reference.server.ts':
    'a mail that begins a conversation gets a reference as enquiries do',
  'inbox → enquiry-form/store.server.ts': 'and its notice waits for the digest',
  'inbox → enquiry-form/notices/digest.server.ts': 'when there are as many as that',
  'inbox → content-editor/rich-text/html-tokens.ts': 'a mail in HTML is read as pasted text is',
  'inbox → status/tokens.server.ts': 'a reply has the address of its page, and staff revoke it',
  'status → inbox/mail-in/from-page.server.ts': 'what a visitor writes there arrives like a mail',
  'status → inbox/acknowledgements/acknowledge.server.ts': 'who gets no acknowledgement gets no link or code',
  'status → inbox/history/entries.server.ts': 'a call that reached nobody is no answer',
  'status → inbox/attachments/api.server.ts': 'its files are downloaded as by staff',
  'status → inbox/mail-in/mail-files.ts':
    'and what a visitor sends is named and checked like the files of a mail',
  'privacy → inbox/acknowledgements/acknowledge.server.ts': 'nor an email about an erasure',
  'privacy → status/tokens.server.ts': 'who is not erased gets the address of the page',
  'status → inbox/messages/store.server.ts': 'the answers of the form are read as staff read them',
  'status → privacy/erasure-requests.server.ts': 'what somebody has answered is for an admin to decide',
  'inbox → privacy/erasure-requests.server.ts': 'an open message says that its visitor asks to be erased',
  'privacy → inbox/history/entries.server.ts': 'such a request is in the history',
  'privacy → inbox/mail-in/from-page.server.ts': 'and wakes the conversation',
  'privacy → enquiry-form/reference.server.ts': 'an erasure has a reference as enquiries do',
  'status → site/layout.tsx': 'the page of an enquiry is one of the site',
  'status → site/site-settings.ts': 'with its settings',
  'status → site/contact/office-times.ts': 'and the times of the office',
  'status → site/serve-pages.server.tsx': 'and is drawn as all pages are',
  'users → inbox/messages/release-messages.server.ts':
    'what a person can no longer answer is assigned to nobody',
  'settings → content-editor/publishing/publish-change.server.ts':
    'the name and the phone are published with the site',
  'set-up → content-editor/editor/guided-editor.tsx': 'the owner of a new site fills in parts of it',
  'set-up → dashboard/first-steps.tsx': 'says what it can do without',
  'set-up → content-editor/samples/samples-panel.tsx': 'removes what is a sample',
  'set-up → settings/mail/mail-server.tsx': 'sets up mail',
  'set-up → settings/mail/use-mail-server.ts': 'which keeps what is typed',
  'set-up → settings/mail/test-email.tsx': 'and tests it',
  'set-up → sign-in/store.server.ts': 'the browser that used the set-up link is a trusted device',
  'set-up → sign-in/verify-code.server.ts': 'and is signed in',
  'privacy → logs/database-sink.server.ts': 'an erasure waits for what is still to be written',
  'privacy → logs/store.server.ts': 'the log deletes its own entries, on request or when they are old',
}

suite('Imports between features', () => {
  // Of each, `site → enquiry-form/form.tsx`.
  const taken = new Set(
    readImports().flatMap(({ from, to }) => {
      const [own, other] = [inFeature(from), inFeature(to)]
      return own && other && own.feature !== other.feature ? [`${own.feature} → ${other.path}`] : []
    }),
  )

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

function inFeature(file: string) {
  const [, path = '', feature = ''] = /^src\/features\/(([\w-]+)\/.*)/.exec(file) ?? []
  return feature ? { feature, path } : null
}
