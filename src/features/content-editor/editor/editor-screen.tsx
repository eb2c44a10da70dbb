import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { ErrorState, SkeletonRows, useReadFailure } from '../../../ui/list/list-states.tsx'
import { ScreenHead } from '../../../ui/screen-head.tsx'
import { documentQuery } from '../queries.ts'
import { Editor } from './editor.tsx'

export function Screen() {
  const { id = '' } = useParams()
  const query = useQuery(documentQuery(id))
  useReadFailure(query.error, 'Failed to fetch the document')
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
