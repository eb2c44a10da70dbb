import { accountMutations } from './accounts.ts'
import { acknowledgementMutations } from './acknowledgements.ts'
import { bulkMutations } from './bulk.ts'
import { claimMutations } from './claims.ts'
import { contentMutations } from './content.ts'
import { contentLimitMutations } from './content-limits.ts'
import { shownContentMutations } from './content-shown.ts'
import { conversationMutations } from './conversations.ts'
import { dataFolderMutations } from './data-folder.ts'
import { erasureMutations } from './erasure.ts'
import { faultMutations } from './faults.ts'
import { figureMutations } from './figures.ts'
import { limitMutations } from './limits.ts'
import { liveMutations } from './live.ts'
import { loadMutations } from './load.ts'
import { mailMutations } from './mail.ts'
import { mailInMutations } from './mail-in.ts'
import type { Mutation } from './mutation.ts'
import { passwordLinkMutations } from './password-links.ts'
import { pictureMutations } from './pictures.ts'
import { powerMutations } from './power.ts'
import { recordMutations } from './records.ts'
import { replyMutations } from './replies.ts'
import { replyClockMutations } from './reply-clock.ts'
import { requestMutations } from './requests.ts'
import { restoreMutations } from './restore.ts'
import { reviewMutations } from './review.ts'
import { exportMutations, sameNumberMutations } from './same-number.ts'
import { signInMutations } from './sign-in.ts'
import { signInLimitMutations } from './sign-in-limits.ts'
import { storedContentMutations } from './stored-content.ts'
import { togetherMutations } from './together.ts'
import { visitorPageMutations } from './visitor-pages.ts'

export const mutations: readonly Mutation[] = [
  ...signInMutations,
  ...passwordLinkMutations,
  ...powerMutations,
  ...signInLimitMutations,
  ...requestMutations,
  ...limitMutations,
  ...loadMutations,
  ...mailMutations,
  ...accountMutations,
  ...recordMutations,
  ...erasureMutations,
  ...dataFolderMutations,
  ...restoreMutations,
  ...contentMutations,
  ...shownContentMutations,
  ...storedContentMutations,
  ...reviewMutations,
  ...contentLimitMutations,
  ...claimMutations,
  ...pictureMutations,
  ...conversationMutations,
  ...replyMutations,
  ...visitorPageMutations,
  ...bulkMutations,
  ...replyClockMutations,
  ...togetherMutations,
  ...sameNumberMutations,
  ...exportMutations,
  ...acknowledgementMutations,
  ...mailInMutations,
  ...figureMutations,
  ...liveMutations,
  ...faultMutations,
]
