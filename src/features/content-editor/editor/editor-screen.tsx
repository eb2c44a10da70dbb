import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { ErrorState, SkeletonRows, useReadFailure } from '../../../ui/list/list-states.tsx'
import { ScreenHead } from '../../../ui/screen-head.tsx'
import { focusField } from '../forms/form-context.ts'
import { documentQuery } from '../queries.ts'
import { Editor } from './editor.tsx'

/** One document: its form beside the preview and the history. */
export function Screen() {
  const { id = '' } = useParams()
  const query = useQuery(documentQuery(id))
  useReadFailure(query.error, 'Failed to fetch the document')
  useFieldOfLink(query.isSuccess)
  if (query.data) return <Editor key={id} open={query.data} />
  return (
    <>
      <ScreenHead title="Content" />
      {query.isPending && <SkeletonRows />}
      {query.isError && (
        <ErrorState
          title="Failed to fetch the document"
          error={query.error}
          onRetry={() => query.refetch()}
        />
      )}
    </>
  )
}

/** A link may name a field, which gets the focus once the form is there. */
function useFieldOfLink(isShown: boolean) {
  const [params] = useSearchParams()
  const field = params.get('field')
  useEffect(() => {
    if (isShown && field) focusField(field)
  }, [isShown, field])
}
