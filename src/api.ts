import { serveBotCheck } from './bot-check/api.server.ts'
import { serveDashboard } from './features/dashboard/api.server.ts'
import { serveEnquiries } from './features/enquiries/api.server.ts'
import { serveLogs } from './features/logs/api.server.ts'
import { serveMessages } from './features/messages/api.server.ts'
import { serveSignIn } from './features/sign-in/api.server.ts'
import { serveHealth } from './http/health.ts'
import { serveMetrics } from './http/metrics.ts'
import { closeDoor, type Door, openDoor } from './http/serve.ts'
import type { Services } from './services.ts'

/** Every call of the API, by the feature that owns it. */
export function serveApi(services: Services): Door {
  const door = openDoor(services)
  serveEnquiries(door)
  serveSignIn(door)
  serveBotCheck(door)
  serveDashboard(door)
  serveMessages(door)
  serveLogs(door)
  serveHealth(door)
  serveMetrics(door)
  closeDoor(door)
  return door
}
