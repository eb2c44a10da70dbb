import { acknowledgementMutations } from './acknowledgements.ts'
import { claimMutations } from './claims.ts'
import { contentMutations } from './content.ts'
import { contentLimitMutations } from './content-limits.ts'
import { conversationMutations } from './conversations.ts'
import { erasureMutations } from './erasure.ts'
import { faultMutations } from './faults.ts'
import { figureMutations } from './figures.ts'
import { limitMutations } from './limits.ts'
import { liveMutations } from './live.ts'
import { loadMutations } from './load.ts'
import { mailMutations } from './mail.ts'
import type { Mutation } from './mutation.ts'
import { passwordLinkMutations } from './password-links.ts'
import { pictureMutations } from './pictures.ts'
import { powerMutations } from './power.ts'
import { recordMutations } from './records.ts'
import { requestMutations } from './requests.ts'
import { restoreMutations } from './restore.ts'
import { reviewMutations } from './review.ts'
import { signInMutations } from './sign-in.ts'
import { togetherMutations } from './together.ts'

export const mutations: readonly Mutation[] = [
  ...signInMutations,
  ...passwordLinkMutations,
  ...powerMutations,
  ...requestMutations,
  ...limitMutations,
  ...loadMutations,
  ...mailMutations,
  ...recordMutations,
  ...erasureMutations,
  ...restoreMutations,
  ...contentMutations,
  ...reviewMutations,
  ...contentLimitMutations,
  ...claimMutations,
  ...pictureMutations,
  ...conversationMutations,
  ...togetherMutations,
  ...acknowledgementMutations,
  ...figureMutations,
  ...liveMutations,
  ...faultMutations,
]
