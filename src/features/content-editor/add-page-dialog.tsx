import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '../../http/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { call } from '../../ui/client.ts'
import { ChoiceField, type FormErrors, TextField } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { useWrite } from '../../ui/form/use-write.ts'
import { useChange } from '../../ui/use-call.ts'
import { type ContentDocument, content, NewDocument, newKinds } from './contract.ts'
import { kindLabels } from './labels.tsx'
import { useRestoreDocument } from './queries.ts'
import { templatesFor } from './templates.ts'

const { site: _, ...newKindLabels } = kindLabels

interface Values {
  readonly kind: NewDocument['kind']
  readonly title: string
  /** Null while the address follows the title. */
  readonly path: string | null
  /** Empty for none. */
  readonly template: string
}

const blank: Values = { kind: 'page', title: '', path: null, template: '' }
const pathOf = ({ kind, title, path }: Values) => path ?? suggestPath(kind, title)

/** Adds a document and opens it. The address follows the title until somebody edits the address. */
export function AddPageDialog({ onClose }: { onClose: () => void }) {
  const create = useChange(content.create, {
    done: ({ document: { title } }) => ({
      title: 'Page Added',
      description: `${title} is offline until it is published.`,
    }),
    isFreshAfterFailure: true,
  })
  // The text and the history of a deleted document that had the path may be what somebody wants.
  const find = useWrite({
    async mutationFn(path: string) {
      const { documents } = await call(content.list, { state: 'deleted', q: path })
      return documents.find(document => document.path === path) ?? null
    },
  })
  const [deleted, setDeleted] = useState<ContentDocument | null>(null)
  const navigate = useNavigate()
  const form = useForm({
    start: blank,
    schema: NewDocument,
    toInput(values) {
      const { template, ...document } = values
      const isOffered = template !== '' && template in templatesFor(values.kind)
      return { ...document, path: pathOf(values), ...(isOffered && { template }) }
    },
    save(sent, shown) {
      const add = () =>
        create.mutate(sent, { onSuccess: ({ document }) => navigate(`/content/${document.id}`), ...shown })
      // Somebody who has read that there was such a page, and goes on, wants a new one.
      if (isKnown) return add()
      const ask = (found: ContentDocument | null) => (found ? setDeleted(found) : add())
      find.mutate(sent.path, { onSuccess: ask, onError: add })
    },
    isBusy: find.isPending || create.isPending,
    isTyped: ({ title, path }) => title !== '' || path !== null,
    backup: { form: 'add page', fields: ['kind', 'title', 'path', 'template'], choices: { kind: newKinds } },
    errorsOf,
  })
  const { kind } = form.values
  const path = pathOf(form.values)
  const templates = templatesFor(kind)
  const { template } = form.values
  const isKnown = deleted?.path === path

  return (
    <FormDialog
      {...form.dialog}
      title="Add page"
      action={isKnown ? 'Add a new page' : 'Add page'}
      busy="Adding …"
      onClose={onClose}
    >
      <ChoiceField {...form.at('kind')} label="Kind" options={newKindLabels} meaning={hints[kind]} />
      <ChoiceField
        {...form.at('template')}
        label="Start with"
        options={templates}
        value={template in templates ? template : ''}
      />
      <TextField {...form.at('title')} label="Title" autoComplete="off" />
      <TextField
        {...form.at('path')}
        label="Address"
        hint="Where visitors find it. It can be changed later: the old address then leads to the new one."
        autoComplete="off"
        spellCheck={false}
        value={path}
      />
      <div role="status">{isKnown && <DeletedPage document={deleted} />}</div>
    </FormDialog>
  )
}

function DeletedPage({ document: { id, title } }: { document: ContentDocument }) {
  const navigate = useNavigate()
  const restore = useRestoreDocument(({ document }) => navigate(`/content/${document.id}`))
  return (
    <p>
      <strong>{title || 'A page'}</strong> had this address and was deleted. You can add a new page here, or{' '}
      <Button kind="link" isIdle={restore.isPending} onClick={() => restore.mutate({ id })}>
        bring that one back
      </Button>
      .
    </p>
  )
}

const hints: Record<NewDocument['kind'], string> = {
  page: 'Such as fees or questions and answers.',
  article: 'News, listed by date.',
  visa: 'What a visa is for, what it asks for and where its figures come from.',
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
