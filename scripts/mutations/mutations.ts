import { loadMutations } from './load.ts'
import type { Mutation } from './mutation.ts'
import { recordMutations } from './records.ts'
import { requestMutations } from './requests.ts'
import { signInMutations } from './sign-in.ts'

export const mutations: readonly Mutation[] = [
  ...signInMutations,
  ...requestMutations,
  ...recordMutations,
  ...loadMutations,
]
