import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { saveFile } from '../../../platform/zip.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { useWrite } from '../../../ui/form/use-write.ts'
import { SearchBox } from '../../../ui/list/filter-select.tsx'
import { EmptyState, ReadState, useReadFailure } from '../../../ui/list/list-states.tsx'
import { LoadMore, useResetPages } from '../../../ui/list/load-more.tsx'
import { useMayCall } from '../../../ui/me-query.ts'
import { ScreenHead } from '../../../ui/screen-head.tsx'
import { showFailure, showToast } from '../../../ui/toast/toast.ts'
import { showUndoToast } from '../../../ui/toast/undo-toast.ts'
import { pagesQuery, useChange } from '../../../ui/use-call.ts'
import { NamedRedirect, type Redirect, redirects } from './contract.ts'
import { RedirectFile } from './redirect-file.tsx'
import { writeRedirectLines } from './redirect-lines.ts'

const listQuery = (q: string) =>
  pagesQuery(['content', 'redirects', q], cursor => call(redirects.list, { cursor, ...(q && { q }) }))

/** The addresses that lead to what has another one now: of the site before, and of pages that were renamed. */
export function RedirectsPanel() {
  const [q, setQ] = useState('')
  const query = listQuery(q)
  const list = useInfiniteQuery(query)
  useResetPages(query.queryKey)
  useReadFailure(list.error, 'Failed to fetch the old addresses')
  const [open, setOpen] = useState<'add' | 'file' | null>(null)
  const mayEdit = useMayCall()(redirects.add)
  const shown = list.data?.pages.flatMap(page => page.redirects) ?? []
  const exportAll = useExport()
  return (
    <>
      <p className="quiet small content-editor-crumb">
        <a href="/content">Content</a> /
      </p>
      <ScreenHead title="Old addresses">
        <Button kind="quiet" isIdle={exportAll.isPending} onClick={() => exportAll.mutate()}>
          Export as CSV
        </Button>
        {mayEdit && (
          <>
            <Button kind="quiet" onClick={() => setOpen('file')}>
              Import from CSV
            </Button>
            <Button kind="primary" onClick={() => setOpen('add')}>
              Add an old address
            </Button>
          </>
        )}
      </ScreenHead>
      <p className="quiet content-editor-notice">
        Who follows an old address is led to the page that it names, as soon as that page is live. A page that
        is here now is never hidden by one.
      </p>
      <search className="filters">
        <SearchBox label="Search old addresses" searched={q} onSearch={setQ} />
      </search>
      <ReadState query={list} title="Failed to fetch the old addresses" />
      {list.isSuccess && shown.length === 0 && (
        <EmptyState
          title="No old addresses"
          hint={q ? 'None has this in it.' : 'Those of renamed pages and of imported ones are listed here.'}
        />
      )}
      <ul>
        {shown.map(redirect => (
          <RedirectRow key={redirect.from} redirect={redirect} mayEdit={mayEdit} />
        ))}
      </ul>
      <LoadMore list={list} />
      {open === 'add' && <AddRedirectDialog onClose={() => setOpen(null)} />}
      {open === 'file' && <RedirectFile onClose={() => setOpen(null)} />}
    </>
  )
}

function RedirectRow({ redirect, mayEdit }: { redirect: Redirect; mayEdit: boolean }) {
  const { from, to, title, documentId, isLive } = redirect
  const undo = useChange(redirects.add, {
    done: () => ({ title: 'Address is back', description: `${from} leads to ${to} again.` }),
    failed: ['Error', 'The address could not be put back'],
  })
  const remove = useChange(redirects.remove, {
    done: () => {
      const undoRemoval = () => undo.mutate({ redirects: [{ from, to }] })
      showUndoToast({ title: 'Address removed', description: `${from} leads nowhere.`, undo: undoRemoval })
      return undefined
    },
    failed: ['Error', 'The address could not be removed'],
  })
  return (
    <li className="content-editor-fact">
      <div className="break">
        <p>
          <strong dir="ltr">{from}</strong>{' '}
          {!isLive && (
            <span className="badge" data-kind="quiet">
              Leads nowhere yet
            </span>
          )}
        </p>
        <p className="field-hint">
          to {documentId ? <a href={`/content/${documentId}`}>{title || to}</a> : title} {documentId && to}
        </p>
      </div>
      {mayEdit && (
        <Button
          kind="quiet"
          isIdle={remove.isPending}
          aria-label={`Remove ${from}`}
          onClick={() => remove.mutate({ from })}
        >
          Remove
        </Button>
      )}
    </li>
  )
}

const blank = { from: '', to: '' }

function AddRedirectDialog({ onClose }: { onClose: () => void }) {
  const [refusal, setRefusal] = useState<{ field: 'from' | 'to' | null; message: string }>()
  const errorAt = (field: 'from' | 'to') => (refusal?.field === field ? refusal.message : undefined)
  const add = useChange(redirects.add, { failed: ['Error', 'The address could not be added'] })
  const form = useForm({
    start: blank,
    schema: NamedRedirect,
    // Most people leave out the first stroke of a path.
    toInput: ({ from, to }) => ({ from, to: /^[\p{L}\p{N}]/u.test(to) ? `/${to}` : to }),
    save: (sent, shown) =>
      add.mutate(
        { redirects: [sent] },
        {
          ...shown,
          onSuccess({ outcomes: [outcome] }) {
            if (outcome?.outcome === 'refused') return setRefusal(outcome)
            showToast({ title: 'Address added', description: `${outcome?.from} leads to ${sent.to}.` })
            onClose()
          },
        },
      ),
    isBusy: add.isPending,
  })
  return (
    <FormDialog {...form.dialog} title="Add an old address" action="Add" busy="Adding …" onClose={onClose}>
      <TextField
        {...form.at('from')}
        label="Old address"
        hint="Such as /2021/03/fees or https://www.old-site.example/fees.html"
        autoComplete="off"
        spellCheck={false}
        error={errorAt('from') ?? form.at('from').error}
      />
      <TextField
        {...form.at('to')}
        label="Leads to"
        hint="The address of a page of this site, such as /fees or /contact"
        autoComplete="off"
        spellCheck={false}
        error={errorAt('to') ?? form.at('to').error}
      />
    </FormDialog>
  )
}

function useExport() {
  return useWrite({
    async mutationFn() {
      const all: NamedRedirect[] = []
      for (let cursor: string | undefined, isLast = false; !isLast; ) {
        const page = await call(redirects.list, { limit: 500, cursor })
        all.push(...page.redirects)
        cursor = page.nextCursor ?? undefined
        isLast = cursor === undefined
      }
      saveFile('old-addresses.csv', new Blob([writeRedirectLines(all)], { type: 'text/csv' }))
    },
    onError: error => showFailure('Error', error, 'The addresses could not be exported'),
  })
}
