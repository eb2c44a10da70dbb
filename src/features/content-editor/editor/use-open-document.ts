import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Finding } from '../../../content/claims/finding.ts'
import { withValue } from '../../../content/json.ts'
import type { FormErrors } from '../../../ui/form/field.tsx'
import { meQuery, useMayCall } from '../../../ui/me-query.ts'
import { claimId, type Reasons } from '../claims/claim-findings.ts'
import { content, type OpenDocument } from '../contract.ts'
import type { ListedFact } from '../facts/contract.ts'
import { factsQuery } from '../facts/queries.ts'
import type { DocumentForm, OpenEditor } from '../forms/form-context.ts'
import { describeField } from '../forms/forms.ts'
import { useClaims, useEditorSession } from './editor-session.ts'

const noFacts: readonly ListedFact[] = []

/**
 * A document that somebody works on: what its form and all that stands beside it need to know. What is typed saves itself.
 * @param pick leads to a field
 */
export function useOpenDocument(open: OpenDocument, pick: (path: string) => void) {
  const { session, state } = useEditorSession(open)
  const mayEdit = useMayCall()(content.saveDraft)
  const [errors, setErrors] = useState<FormErrors>({})
  /** The claims that keep the draft from being published, as the server found them. */
  const [blocking, setBlocking] = useState<readonly Finding[]>([])
  const { body, conflicts } = state
  const { data: me } = useQuery(meQuery)
  const otherEditor = state.otherEditor === me?.name ? 'You, in another window,' : state.otherEditor
  const { data: facts = noFacts } = useQuery(factsQuery)
  const claims = useClaims(open, body, facts)
  const [reasons, setReasons] = useState<Reasons>({})

  const form: DocumentForm = {
    ...{ body, mayEdit, errors, conflicts, facts, otherEditor },
    claims: claims.filter(({ kept, isSample }) => kept === null || isSample),
    change(path, value) {
      const { body } = session.read()
      session.change(withValue(body, path, value))
      if (Object.keys(errors).length > 0) setErrors(withoutErrors(errors, path))
    },
    settle: session.settle,
    pages: open.pages,
    people: open.claims.people,
  }

  const editor: OpenEditor = {
    ...{ open, session, state, mayEdit, claims, reasons, setReasons, pick },
    showErrors(next, findings = []) {
      setErrors(next)
      setBlocking(findings)
    },
    labelOf: (path, of = body) => describeField(open.document.kind, of, path),
  }
  // Those that are no longer in the text have gone.
  const findings = blocking.filter(finding => claims.some(claim => claimId(claim) === claimId(finding)))
  return { form, editor, errors, findings }
}

function withoutErrors(errors: FormErrors, path: string): FormErrors {
  const isOther = (each: string) => each !== path && !each.startsWith(`${path}.`)
  return Object.fromEntries(Object.entries(errors).filter(([each]) => isOther(each)))
}
