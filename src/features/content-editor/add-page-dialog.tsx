import { type FormEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '../../http/api-client.ts'
import { fieldErrors } from '../../http/field-errors.ts'
import { CancelButton, Dialog } from '../../ui/dialog/dialog.tsx'
import { type FormErrors, TextField, useFormErrors } from '../../ui/form/field.tsx'
import { inputText, restoreInput, useInputBackup } from '../../ui/form/input-backup.ts'
import { type ContentDocument, NewDocument, newKinds } from './contract.ts'
import { kindLabels } from './labels.ts'
import { useCreateDocument, useFindDeleted, useRestoreDocument } from './queries.ts'

const FORM = 'add page'

/** Adds a document and opens it. The address follows the title until somebody edits the address. */
export function AddPageDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const [values, setValues] = useState(restore)
  const [errors, showErrors] = useFormErrors(formId)
  const create = useCreateDocument()
  const find = useFindDeleted()
  const [deleted, setDeleted] = useState<ContentDocument | null>(null)
  const navigate = useNavigate()
  const { kind, title } = values
  const path = values.path ?? suggestPath(kind, title)
  const isKnown = deleted?.path === path
  const isBusy = find.isPending || create.isPending
  const isTyped = title !== '' || values.path !== null
  useInputBackup(FORM, isTyped ? values : null)
  const set = (change: Partial<typeof values>) => setValues({ ...values, ...change })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const checked = NewDocument.safeParse({ kind, title, path })
    if (!checked.success) return showErrors(fieldErrors(checked.error.issues))
    const add = () => addPage(checked.data)
    // Somebody who has read that there was such a page, and goes on, wants a new one.
    if (isKnown) return add()
    const ask = (found: ContentDocument | null) => (found ? setDeleted(found) : add())
    find.mutate(checked.data.path, { onSuccess: ask, onError: add })
  }

  function addPage(added: NewDocument) {
    create.mutate(added, {
      onSuccess: ({ document }) => navigate(`/content/${document.id}`),
      onError: error => showErrors(errorsOf(error)),
    })
  }

  return (
    <Dialog
      title="Add page"
      onClose={onClose}
      isTyped={isTyped}
      isBusy={isBusy}
      actions={
        <>
          <CancelButton />
          <button type="submit" form={formId} className="button button-primary" aria-disabled={isBusy}>
            {isBusy ? 'Adding …' : isKnown ? 'Add a new page' : 'Add page'}
          </button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <KindField kind={kind} onChange={kind => set({ kind })} />
        <TextField
          label="Title"
          autoComplete="off"
          value={title}
          onChange={event => set({ title: event.target.value })}
          error={errors.title}
        />
        <TextField
          label="Address"
          hint="Where visitors find it. It can be changed later: the old address then leads to the new one."
          autoComplete="off"
          spellCheck={false}
          value={path}
          onChange={event => set({ path: event.target.value })}
          error={errors.path}
        />
        <div role="status">{isKnown && <DeletedPage document={deleted} />}</div>
      </form>
    </Dialog>
  )
}

/** A page that had the address before. */
function DeletedPage({ document: { id, title } }: { document: ContentDocument }) {
  const navigate = useNavigate()
  const restore = useRestoreDocument(id => navigate(`/content/${id}`))
  return (
    <p>
      <strong>{title || 'A page'}</strong> had this address and was deleted. You can add a new page here, or{' '}
      <button
        type="button"
        className="button button-link"
        aria-disabled={restore.isPending}
        onClick={() => restore.mutate(id)}
      >
        bring that one back
      </button>
      .
    </p>
  )
}

const hints: Record<NewDocument['kind'], string> = {
  page: 'Such as fees or questions and answers.',
  article: 'News, listed by date.',
  visa: 'What a visa is for, what it asks for and where its figures come from.',
}

function KindField({
  kind,
  onChange,
}: {
  kind: NewDocument['kind']
  onChange: (kind: NewDocument['kind']) => void
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Kind</label>
      <select
        className="control"
        id={id}
        value={kind}
        aria-describedby={`${id}hint`}
        onChange={event => onChange(newKinds.find(each => each === event.target.value) ?? kind)}
      >
        {newKinds.map(each => (
          <option key={each} value={each}>
            {kindLabels[each]}
          </option>
        ))}
      </select>
      <p className="field-hint" id={`${id}hint`}>
        {hints[kind]}
      </p>
    </div>
  )
}

interface Values {
  readonly kind: NewDocument['kind']
  readonly title: string
  /** Null while the address follows the title. */
  readonly path: string | null
}

/** The input that was saved before the session ended. */
function restore(): Values {
  const typed = restoreInput(FORM)
  const kind = newKinds.find(each => each === typed.kind) ?? 'page'
  return { kind, title: inputText(typed, 'title') ?? '', path: inputText(typed, 'path') ?? null }
}

/** An address that is taken has no error of its own in the reply. */
function errorsOf(error: Error): FormErrors {
  if (!(error instanceof ApiError)) return {}
  return Object.keys(error.errors).length > 0 ? error.errors : { path: error.message }
}

const folders: Record<NewDocument['kind'], string> = { page: '/', article: '/news/', visa: '/visas/' }

/** Characters of the last part of an address, so that people can read it out. */
const MAX_NAME = 60

/** An address made of the words of a title, in the folder of its kind: "Partner visas" → `/visas/partner-visas`. */
export function suggestPath(kind: NewDocument['kind'], title: string): string {
  const plain = title.normalize('NFKD').replace(/[\u0300-\u036f'’]/g, '')
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const name = words.join('-').slice(0, MAX_NAME).replace(/-+$/, '')
  return folders[kind] + name
}
