import type { Locator, Page, Request } from '@playwright/test'

/** Each call that a button of the portal makes, with what it sends. */
export const calls = {
  'signIn.login': 'POST /api/auth/login',
  'signIn.verifyCode': 'POST /api/auth/verify-2fa',
  'signIn.resendCode': 'POST /api/auth/resend-2fa',
  'signIn.logout': 'POST /api/auth/logout',
  'passwordLink.request': 'POST /api/auth/forgot-password',
  'passwordLink.open': 'POST /api/auth/password-link',
  'passwordLink.setPassword': 'POST /api/auth/set-password',
  'setUp.open': 'POST /api/auth/set-up-link',
  'setUp.create': 'POST /api/auth/set-up',
  'users.create': 'POST /api/users',
  'users.change': 'PATCH /api/users/…',
  'users.resendVerification': 'POST /api/users/…/verification',
  'users.resendInvitation': 'POST /api/users/…/invitation',
  'users.delete': 'DELETE /api/users/…',
  'apiTokens.create': 'POST /api/admin/tokens',
  'apiTokens.revoke': 'DELETE /api/admin/tokens/…',
  'messages.markRead': 'PUT /api/messages/…/read',
  'messages.forward': 'POST /api/messages/…/forward',
  'messages.retry': 'POST /api/messages/…/retry',
  'messages.delete': 'DELETE /api/messages/…',
  'messages.change': 'PATCH /api/messages/…',
  'conversation.reply': 'POST /api/messages/…/replies',
  'erasureRequests.erase': 'POST /api/messages/…/erasure',
  'erasureRequests.refuse': 'DELETE /api/messages/…/erasure',
  'conversation.revokeLinks': 'DELETE /api/messages/…/status-links',
  'conversation.undoReply': 'DELETE /api/messages/…/replies/…',
  'conversation.retryReply': 'POST /api/messages/…/replies/…/retry',
  'conversation.addNote': 'POST /api/messages/…/notes',
  'conversation.addCall': 'POST /api/messages/…/calls',
  'conversation.sendConsumerGuide': 'POST /api/messages/…/consumer-guide',
  'merge.into': 'PUT /api/messages/…/merge',
  'merge.undo': 'DELETE /api/messages/…/merge',
  'bulk.change': 'POST /api/messages/bulk',
  'cannedReplies.add': 'POST /api/canned-replies',
  'cannedReplies.change': 'PATCH /api/canned-replies/…',
  'cannedReplies.delete': 'DELETE /api/canned-replies/…',
  'cannedReplies.use': 'POST /api/canned-replies/…/use',
  'notices.delete': 'DELETE /api/messages/notices',
  'scheduledReplies.schedule': 'PUT /api/messages/…/scheduled-reply',
  'scheduledReplies.cancel': 'DELETE /api/messages/…/scheduled-reply',
  'notices.follow': 'PUT /api/messages/…/following',
  'notices.unfollow': 'DELETE /api/messages/…/following',
  'savedViews.add': 'POST /api/messages/views',
  'savedViews.rename': 'PATCH /api/messages/views/…',
  'savedViews.delete': 'DELETE /api/messages/views/…',
  'settings.change': 'PUT /api/settings/',
  'settings.changeMail': 'PUT /api/settings/smtp',
  'settings.testEmail': 'POST /api/settings/test-email',
  'settings.confirmMail': 'POST /api/settings/smtp/confirmation',
  'settings.useMail': 'POST /api/settings/smtp/activation',
  'settings.discardMail': 'DELETE /api/settings/smtp/waiting',
  'mailInSettings.change': 'PUT /api/settings/mail-in',
  'mailInSettings.beginSignIn': 'POST /api/settings/mail-in/microsoft',
  'mailInSettings.confirmSignIn': 'PUT /api/settings/mail-in/microsoft',
  'mailInSettings.cancelSignIn': 'DELETE /api/settings/mail-in/microsoft',
  'mailInSettings.fetchNow': 'POST /api/settings/mail-in/fetch',
  'mailInSettings.import': 'POST /api/settings/mail-in/import',
  'mailInSettings.stopImport': 'DELETE /api/settings/mail-in/import',
  'mailInSettings.test': 'POST /api/settings/mail-in/test',
  'mailInSettings.disconnect': 'DELETE /api/settings/mail-in',
  'logs.deleteOld': 'DELETE /api/logs',
  'profile.change': 'PATCH /api/auth/profile',
  'profile.deleteSession': 'DELETE /api/auth/sessions/…',
  'profile.deleteOtherSessions': 'DELETE /api/auth/sessions',
  'content.create': 'POST /api/content',
  'content.duplicate': 'POST /api/content/…/duplicate',
  'content.publish': 'POST /api/content/…/publish',
  'content.unpublish': 'POST /api/content/…/unpublish',
  'content.restore': 'POST /api/content/…/versions/1/restore',
  'archive.delete': 'DELETE /api/content/…',
  'archive.restore': 'POST /api/content/…/unarchive',
  'reviews.ask': 'POST /api/content/…/review',
  'reviews.withdraw': 'POST /api/content/…/review/withdraw',
  'reviews.decline': 'POST /api/content/…/review/decline',
  'reviews.approve': 'POST /api/content/…/review/approve',
  'samples.confirm': 'POST /api/content/samples/confirmation',
  'samples.remove': 'POST /api/content/samples/removal',
  'samples.undo': 'POST /api/content/samples/removal/undo',
  'redirects.add': 'POST /api/content/redirects',
  'redirects.remove': 'POST /api/content/redirects/removal',
  'moving.plan': 'POST /api/content/import/plan',
  'moving.import': 'POST /api/content/import',
  'facts.change': 'PUT /api/content/facts',
  'facts.approve': 'POST /api/content/facts/approve',
  'facts.discard': 'POST /api/content/facts/discard',
  'pictures.upload': 'POST /api/content/pictures',
  'pictures.uploadLogo': 'POST /api/content/pictures/logo',
  'pictures.keep': 'POST /api/content/pictures/…',
  'pictures.delete': 'DELETE /api/content/pictures/…',
}
export type Call = (typeof calls)[keyof typeof calls]

/** What is typed saves itself; no button does that. */
const AUTOSAVE = /^PUT \/api\/(content|messages)\/…\/draft$/

/** All calls that the buttons of a page make to change something, in the order in which they leave for the server. */
export function listenTo(page: Page) {
  const sent: string[] = []
  const listen = (request: Request) => {
    const call = describe(request)
    const isByItself = AUTOSAVE.test(call) || call.endsWith('/presence')
    if (request.method() !== 'GET' && !isByItself) sent.push(call)
  }
  page.on('request', listen)
  return { sent, stop: () => page.off('request', listen) }
}

function describe(request: Request): string {
  const path = new URL(request.url()).pathname.replace(/[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
  return `${request.method()} ${path}`
}

/** Two clicks of the mouse, or Enter twice. */
const ways = { click: (button: Locator) => button.dblclick(), Enter: pressTwice('Enter') }

function pressTwice(key: string) {
  return async (on: Locator) => {
    await on.focus()
    await Promise.all([on.page().keyboard.press(key), on.page().keyboard.press(key)])
  }
}

/** Presses twice and waits for the answer. */
export async function press(on: Locator, call: Call, way: keyof typeof ways = 'click', of = 1) {
  let answers = 0
  const isAnswered = on.page().waitForResponse(response => {
    if (describe(response.request()).startsWith(call)) answers++
    return answers === of
  })
  await ways[way](on)
  await isAnswered
}

export const button = (where: Page | Locator, name: string | RegExp) =>
  where.getByRole('button', { name, exact: true })
export const question = (page: Page) => page.getByRole('alertdialog')
