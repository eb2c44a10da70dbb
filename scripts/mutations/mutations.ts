import type { Mutation } from './mutation.ts'
import { powerMutations } from './power.ts'
import { recordMutations } from './records.ts'
import { requestMutations } from './requests.ts'
import { signInMutations } from './sign-in.ts'

export const mutations: readonly Mutation[] = [
  ...signInMutations,
  ...powerMutations,
  ...requestMutations,
  ...recordMutations,
]
