import { serveBotCheck } from './bot-check/api.server.ts'
import { serveApiTokens, serveReference } from './features/api-tokens/api.server.ts'
import { serveDashboard } from './features/dashboard/api.server.ts'
import { serveEmailVerification } from './features/email-verification/api.server.ts'
import { serveEnquiries } from './features/enquiries/api.server.ts'
import { serveLogs } from './features/logs/api.server.ts'
import { serveMessages } from './features/messages/api.server.ts'
import { serveProfile } from './features/profile/api.server.ts'
import { serveSettings } from './features/settings/api.server.ts'
import { serveSignIn } from './features/sign-in/api.server.ts'
import { serveUsers } from './features/users/api.server.ts'
import { serveHealth } from './http/health.ts'
import { serveMetrics } from './http/metrics.ts'
import { closeDoor, type Door, openDoor } from './http/serve.ts'
import type { Services } from './services.ts'

/** Every call of the API, by the feature that owns it. */
export function serveApi(services: Services): Door {
  const door = openDoor(services)
  serveEnquiries(door)
  serveSignIn(door)
  serveEmailVerification(door)
  serveProfile(door)
  serveUsers(door)
  serveBotCheck(door)
  serveDashboard(door)
  serveMessages(door)
  serveApiTokens(door)
  serveReference(door)
  serveSettings(door)
  serveLogs(door)
  serveHealth(door)
  serveMetrics(door)
  closeDoor(door)
  return door
}
