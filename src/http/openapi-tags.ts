import type { Endpoint } from './endpoint.ts'
import type { OpenApiDocument } from './openapi-document.ts'

type Tag = OpenApiDocument['tags'][number]

const groups: readonly (Tag & { readonly paths: RegExp })[] = [
  {
    name: 'Enquiries',
    description: 'Enquiries from the forms of the public pages.',
    paths: /^\/api\/(contact|visa-assessment|track-application|public\/)/,
  },
  {
    name: 'Sign-in',
    description: 'Sessions of staff, and their own profile.',
    paths: /^\/api\/(csrf-token|auth\/)/,
  },
  { name: 'Users', description: 'Staff accounts.', paths: /^\/api\/users/ },
  {
    name: 'Messages',
    description: 'The enquiries that were received, and what staff say to their senders.',
    paths: /^\/api\/(messages|canned-replies|events)/,
  },
  { name: 'Content', description: 'What the public pages show.', paths: /^\/api\/content/ },
  { name: 'Settings', description: 'The configuration of this installation.', paths: /^\/api\/settings/ },
  {
    name: 'API tokens',
    description: 'Tokens for API clients, and this reference.',
    paths: /^\/api\/(admin\/tokens|openapi)/,
  },
  { name: 'System logs', description: 'Entries of the system log.', paths: /^\/api\/logs/ },
  { name: 'Dashboard', description: 'Figures for the dashboard.', paths: /^\/api\/dashboard/ },
]

const rest: Tag = { name: 'Health', description: 'Whether the server is up and ready.' }

export function tagOf(contract: Endpoint): string {
  return groupOf(contract).name
}

/** Each tag once, in the order of the calls. */
export function tagsOf(served: readonly Endpoint[]): Tag[] {
  return [...new Set(served.map(groupOf))].map(({ name, description }) => ({ name, description }))
}

function groupOf({ path }: Endpoint): Tag {
  return groups.find(({ paths }) => paths.test(path)) ?? rest
}
