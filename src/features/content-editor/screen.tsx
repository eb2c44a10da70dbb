import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { lazily } from '../../ui/lazy-part.ts'
import { FilterSelect, SearchBox } from '../../ui/list/filter-select.tsx'
import { EmptyState, ReadState, SkeletonRows, useReadFailure } from '../../ui/list/list-states.tsx'
import { LoadMore, useResetPages } from '../../ui/list/load-more.tsx'
import { useMayCall } from '../../ui/me-query.ts'
import { KeyHints, ScreenHead } from '../../ui/screen-head.tsx'
import { ClaimsLink, ClaimsPanel } from './claims/claims-panel.tsx'
import { content } from './contract.ts'
import { DocumentTable } from './document-table.tsx'
import { FactsPanel } from './facts/facts-panel.tsx'
import { kindLabels, stateLabels } from './labels.tsx'
import { documentsQuery } from './queries.ts'
import {
  BRAND_URL,
  FACTS_URL,
  MOVING_URL,
  PICTURES_URL,
  REDIRECTS_URL,
  SAMPLES_URL,
  useContentUrl,
} from './use-content-url.ts'

const searchKey = ['/', 'search'] as const
const rowKeys = [['↑ ↓', 'move'] as const, ['Enter', 'open'] as const]

/** Nobody needs it before the list. */
const AddPageDialog = lazily(async () => (await import('./add-page-dialog.tsx')).AddPageDialog)
const BrandEditor = lazily(
  async () => (await import('./brand/brand-editor.tsx')).BrandEditor,
  <SkeletonRows />,
)
const SamplesPanel = lazily(
  async () => (await import('./samples/samples-panel.tsx')).SamplesPanel,
  <SkeletonRows />,
)
const MovingPanel = lazily(
  async () => (await import('./moving/moving-panel.tsx')).MovingPanel,
  <SkeletonRows />,
)
const RedirectsPanel = lazily(
  async () => (await import('./redirects/redirects-panel.tsx')).RedirectsPanel,
  <SkeletonRows />,
)
const Library = lazily(async () => (await import('../pictures/library.tsx')).Library, <SkeletonRows />)

/** What the public pages show: documents, the facts and pictures that they refer to, the claims in them, or the brand. The URL says which. */
export function Screen() {
  const contentUrl = useContentUrl()
  if (contentUrl.view === 'brand') return <BrandEditor />
  if (contentUrl.view === 'facts') return <FactsPanel />
  if (contentUrl.view === 'claims') return <ClaimsPanel />
  if (contentUrl.view === 'pictures') return <Library />
  if (contentUrl.view === 'samples') return <SamplesPanel />
  if (contentUrl.view === 'addresses') return <RedirectsPanel />
  if (contentUrl.view === 'import') return <MovingPanel />
  return <DocumentList contentUrl={contentUrl} />
}

/** The URL holds the filters. */
function DocumentList({ contentUrl }: { contentUrl: ReturnType<typeof useContentUrl> }) {
  const { filter } = contentUrl
  const query = documentsQuery(filter)
  const list = useInfiniteQuery(query)
  useResetPages(query.queryKey)
  useReadFailure(list.error, 'Failed to fetch the content')
  const [isAdding, setAdding] = useState(false)
  const mayAdd = useMayCall()(content.create)
  const shown = list.data?.pages.flatMap(page => page.documents) ?? []
  // While the list loads, or when nobody of this name is left, the filter still shows what it is.
  const people = [...new Set([...(list.data?.pages[0]?.people ?? []), filter.editedBy ?? []].flat())]
  const isFiltered = Object.keys(filter).length > 0
  const at = (name: keyof typeof filter) => ({
    value: filter[name],
    onValue: (value: string) => contentUrl.setFilter(name, value),
  })

  return (
    <>
      <ScreenHead title="Content">
        <a className="button button-quiet" href={BRAND_URL}>
          Brand
        </a>
        <a className="button button-quiet" href={FACTS_URL}>
          Facts
        </a>
        <a className="button button-quiet" href={PICTURES_URL}>
          Pictures
        </a>
        <a className="button button-quiet" href={SAMPLES_URL}>
          Samples
        </a>
        <a className="button button-quiet" href={REDIRECTS_URL}>
          Old addresses
        </a>
        <a className="button button-quiet" href={MOVING_URL}>
          Import and export
        </a>
        <ClaimsLink />
        {mayAdd && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            Add page
          </Button>
        )}
      </ScreenHead>
      <search className="filters">
        <SearchBox label="Search content" searched={filter.q ?? ''} onSearch={contentUrl.search} />
        <FilterSelect {...at('kind')} label="Kind" all="All kinds" options={Object.entries(kindLabels)} />
        <FilterSelect {...at('state')} label="State" all="Any state" options={Object.entries(stateLabels)} />
        <FilterSelect
          {...at('editedBy')}
          label="Last edited by"
          all="Everybody"
          options={people.map(name => [name, name])}
        />
      </search>
      {list.isSuccess && (
        <div className="line wrap between quiet tiny list-head">
          <p role="status">{describeCount(shown.length, list.hasNextPage, isFiltered)}</p>
          <KeyHints keys={[searchKey, ...(shown.length > 0 ? rowKeys : [])]} />
        </div>
      )}
      <ReadState query={list} title="Failed to fetch the content" />
      {/* There is always the site document, so nothing means that the filter leaves nothing. */}
      {list.isSuccess && shown.length === 0 && (
        <>
          <EmptyState title="No content found" hint="Nothing matches your search and filters." />
          <p className="load-more">
            <Button onClick={contentUrl.clear}>Show all content</Button>
          </p>
        </>
      )}
      {shown.length > 0 && (
        <div aria-busy={list.isPlaceholderData} className="rows">
          <DocumentTable
            // Another filter is another list, which starts at its top.
            key={JSON.stringify(filter)}
            documents={shown}
            isWhole={!list.hasNextPage}
          />
        </div>
      )}
      <LoadMore list={list} />
      {list.isRefetchError && (
        <p className="load-more" role="alert">
          This list may be out of date: {list.error.message}
        </p>
      )}
      {isAdding && <AddPageDialog onClose={() => setAdding(false)} />}
    </>
  )
}

function describeCount(count: number, hasMore: boolean, isFiltered: boolean): string {
  const words = `${count.toLocaleString('en-AU')} ${count === 1 ? 'document' : 'documents'}`
  return `${words}${isFiltered ? ' found' : ''}${hasMore ? ', more follow' : ''}`
}
