import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { call } from '../../ui/client.ts'
import { pagesQuery, useChange } from '../../ui/use-call.ts'
import { archive, type ContentDocument, content, type DocumentQuery } from './contract.ts'

export type DocumentFilter = Pick<DocumentQuery, 'q' | 'kind' | 'state' | 'editedBy'>

/** The list in pages, the site first. The previous list stays visible while another filter loads. */
export function documentsQuery(filter: DocumentFilter) {
  const query = pagesQuery(['content', 'list', filter], cursor => call(content.list, { ...filter, cursor }))
  return { ...query, placeholderData: keepPreviousData }
}

/** @param then is called before the lists are read again */
export const useRestoreDocument = (then?: (reply: { document: ContentDocument }) => unknown) =>
  useChange(archive.restore, {
    done: ({ document: { title, state } }) => ({
      title: 'Deletion Undone',
      description: `${title} is back${state === 'offline' ? ', and offline' : ''}.`,
    }),
    failed: ['Error', 'It could not be brought back'],
    then,
  })

/** Makes a new draft of a document, and opens it. */
export function useDuplicate() {
  const navigate = useNavigate()
  const then = ({ document: { id } }: { document: ContentDocument }) => navigate(`/content/${id}`)
  return useChange(content.duplicate, {
    done: ({ document: { title } }) => ({
      title: 'Page Duplicated',
      description: `${title} is offline until it is published.`,
    }),
    failed: ['Error', 'It could not be duplicated'],
    then,
  })
}
