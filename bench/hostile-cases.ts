import { allConnections } from './hostile-connections.ts'
import { largestConversation } from './hostile-conversation.ts'
import { hostileDrafts } from './hostile-drafts.ts'
import { strangerReads } from './hostile-reads.ts'
import type { Case } from './hostile-target.ts'

/** What one person can do with the calls that they may use. */
export const cases: readonly Case[] = [largestConversation, allConnections, strangerReads, hostileDrafts]
