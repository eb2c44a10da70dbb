import { useParams } from 'react-router'
import { ReadState, useReadFailure } from '../../../ui/list/list-states.tsx'
import { ScreenHead } from '../../../ui/screen-head.tsx'
import { useCall } from '../../../ui/use-call.ts'
import { content } from '../contract.ts'
import { Editor } from './editor.tsx'

export function Screen() {
  const { id = '' } = useParams()
  // No old copy is shown, because what is typed starts from it.
  const query = useCall(content.open, { id }, { gcTime: 0, refetchOnWindowFocus: true })
  useReadFailure(query.error, 'Failed to fetch the document')
  if (query.data) return <Editor key={id} open={query.data} />
  return (
    <>
      <ScreenHead title="Content" />
      <ReadState query={query} title="Failed to fetch the document" />
    </>
  )
}
