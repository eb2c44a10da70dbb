import * as z from 'zod/mini'
import { ApiError } from '../../http/api-client.ts'

const WithFindings = z.object({
  findings: z.array(
    z.object({
      sentence: z.optional(z.string()),
      quote: z.optional(z.string()),
      why: z.optional(z.string()),
    }),
  ),
})

/** What the claim check found, one line each; empty for any other error. */
export function describeFindings(error: Error): readonly string[] {
  if (!(error instanceof ApiError) || error.code !== 'claims') return []
  const findings = WithFindings.safeParse(error.body).data?.findings ?? []
  return findings.map(({ quote, sentence, why }) => [quote ?? sentence, why].filter(Boolean).join(': '))
}
