import type { TestMutation } from './mutation.ts'

const test = 'src/features/content-editor/review.test.ts'

/** A second person approves what goes live. */
export const reviewMutations: readonly TestMutation[] = [
  {
    name: 'Nobody publishes alone',
    file: 'src/features/content-editor/publish.server.ts',
    text: 'if (await needsReview(settings, transaction)) throwReviewNeeded()',
    instead: '',
    test,
    named: 'nobody publishes alone',
  },
  {
    name: 'Nobody approves their own work',
    file: 'src/features/content-editor/review.server.ts',
    text: 'if (!mayApprove(review, call.user.id)) throwOwnReview()',
    instead: '',
    test,
    named: 'nobody approves what they have',
  },
  {
    name: 'Who asks does not approve',
    file: 'src/content/reviews.server.ts',
    text: 'review.asked_by_id !== userId && !parseEditors',
    instead: '!parseEditors',
    test,
    named: 'nobody approves what they have',
  },
  {
    name: 'Everybody who has worked on a draft is an author, and not only the last one',
    file: 'src/content/reviews.server.ts',
    text: ' && !parseEditors(review.editors).includes(userId)',
    instead: '',
    test,
    named: 'nobody approves what they have',
  },
  {
    name: 'Authors are remembered until what they wrote is live',
    file: 'src/features/content-editor/restore.server.ts',
    text: 'return [version.author_id, ...parseEditors(version.editors)]',
    instead: 'return []',
    test,
    named: 'a restored version',
  },
  {
    name: 'An approval forgets only the authors of what it approves',
    file: 'src/content/editors.server.ts',
    text: "    .where('revision', '<=', revision)\n",
    instead: '',
    test,
    named: 'not what was written since',
  },
  {
    name: 'An approval is of the version that was seen',
    file: 'src/features/content-editor/review.server.ts',
    text: 'if (review?.number === number) return review',
    instead: 'if (review) return review',
    test,
    named: 'who asks again',
  },
  {
    name: 'A token is no second person',
    file: 'src/features/content-editor/contract-reviews.ts',
    text: "tokenAuth: 'denied', ",
    instead: '',
    test,
    named: 'an API token neither',
  },
  {
    name: 'A version that waits for approval is not deleted',
    file: 'src/content/checkpoints.server.ts',
    text: "    .where('outcome', '!=', 'approved')\n",
    instead: '',
    test,
    named: 'kept for ever',
  },
]
