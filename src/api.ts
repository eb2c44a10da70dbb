import { serveBotCheck } from './bot-check/api.server.ts'
import { serveApiTokens, serveReference } from './features/api-tokens/api.server.ts'
import { serveContent } from './features/content-editor/api.server.ts'
import { serveMoving } from './features/content-editor/moving/import.server.ts'
import { serveRedirects } from './features/content-editor/redirects/redirects.server.ts'
import { serveSamples } from './features/content-editor/samples/samples.server.ts'
import { serveDashboard } from './features/dashboard/api.server.ts'
import { serveEmailVerification } from './features/email-verification/api.server.ts'
import { serveEnquiries } from './features/enquiry-form/api.server.ts'
import { serveMessages } from './features/inbox/api.server.ts'
import { serveAttachments } from './features/inbox/attachments/api.server.ts'
import { serveBulk } from './features/inbox/bulk/bulk.server.ts'
import { serveCannedReplies } from './features/inbox/canned/canned.server.ts'
import { serveConversation } from './features/inbox/conversation/api.server.ts'
import { serveFormatting } from './features/inbox/formatting/formatted.server.ts'
import { serveNotes } from './features/inbox/history/notes.server.ts'
import { serveMailIn } from './features/inbox/mail-in/stored-mail.server.ts'
import { serveMerge } from './features/inbox/merging/merge.server.ts'
import { serveNotices } from './features/inbox/notices/notices.server.ts'
import { servePresence } from './features/inbox/presence/presence.server.ts'
import { serveScheduledReplies } from './features/inbox/replies/scheduled.server.ts'
import { serveSavedViews } from './features/inbox/views/saved-views.server.ts'
import { serveLogs } from './features/logs/api.server.ts'
import { servePasswordLinks } from './features/password-link/api.server.ts'
import { servePictures } from './features/pictures/api.server.ts'
import { serveErasureRequests } from './features/privacy/erasure-requests.server.ts'
import { serveProfile } from './features/profile/api.server.ts'
import { serveSetUp } from './features/set-up/api.server.ts'
import { serveSettings } from './features/settings/api.server.ts'
import { serveSignIn } from './features/sign-in/api.server.ts'
import { serveVisitorPage } from './features/status/api.server.ts'
import { serveUsers } from './features/users/api.server.ts'
import { type ApiRouter, addFallbacks, createApiRouter, type Keep } from './http/api-router.ts'
import { serveHealth, serveMetrics } from './http/metrics/metrics.ts'
import { serveEvents } from './live/api.server.ts'
import type { Services } from './services.ts'

/** Every call of the API, by the feature that owns it. */
export function serveApi(services: Services, keep?: Keep): ApiRouter {
  const router = createApiRouter(services, keep)
  serveEnquiries(router)
  serveVisitorPage(router)
  serveSignIn(router)
  serveEmailVerification(router)
  servePasswordLinks(router)
  serveSetUp(router)
  serveProfile(router)
  serveUsers(router)
  serveBotCheck(router)
  serveDashboard(router)
  // Before the calls for one message, whose paths these have.
  serveBulk(router)
  serveSavedViews(router)
  serveNotices(router)
  serveMessages(router)
  serveConversation(router)
  serveMailIn(router)
  serveAttachments(router)
  serveFormatting(router)
  serveCannedReplies(router)
  serveNotes(router)
  serveScheduledReplies(router)
  serveMerge(router)
  serveErasureRequests(router)
  servePresence(router)
  serveEvents(router)
  servePictures(router)
  // Before the calls for one document, whose paths these have.
  serveSamples(router)
  serveRedirects(router)
  serveMoving(router)
  serveContent(router)
  serveApiTokens(router)
  serveReference(router)
  serveSettings(router)
  serveLogs(router)
  serveHealth(router)
  serveMetrics(router)
  addFallbacks(router)
  return router
}
