import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { AreaField, ChoiceField, TextField } from '../../../ui/form/field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { fieldsOf, useWrite } from '../../../ui/form/use-write.ts'
import { showFailure } from '../../../ui/toast/toast.ts'
import { MAX_TEXT } from '../conversation/contract.ts'
import { type LanguageCode, languages, nameLanguage } from '../language/languages.ts'
import {
  CannedReply,
  type CannedVariant,
  cannedReplies,
  describeUnknown,
  fillPlaceholders,
  MAX_CANNED_TITLE,
  type NewCannedReply,
  type PlaceholderValues,
  placeholders,
  unknownPlaceholders,
} from './contract.ts'
import { cannedQuery } from './queries.ts'

interface CannedFormProps extends Pick<PlaceholderValues, 'agent' | 'agency'> {
  /** The one to change; null for a new one. */
  readonly reply: CannedReply | null
  readonly onClose: () => void
}

/** A visitor as there are many, for the preview. */
const EXAMPLE = { name: 'Nadia Ito', reference: 'LF-7K3M-92QD', service: 'Family Migration' }

export function CannedForm({ reply, agent, agency, onClose }: CannedFormProps) {
  const client = useQueryClient()
  /** What somebody else has saved since this form was opened. */
  const [theirs, setTheirs] = useState<CannedReply>()
  const save = useWrite<unknown, NewCannedReply>({
    mutationFn: text => {
      const seen = theirs ?? reply
      if (!seen) return call(cannedReplies.add, text)
      return call(cannedReplies.change, { id: seen.id, version: seen.version, ...text })
    },
    onSuccess: onClose,
    onError(error) {
      const changed = fieldsOf(error, 'canned_reply_changed', Changed)
      if (changed) setTheirs(changed.cannedReply)
      else showFailure('Canned Reply Not Saved', error, 'The server failed.')
    },
    onSettled: () => client.invalidateQueries({ queryKey: cannedQuery.queryKey }),
  })
  const { values, set, at, dialog } = useForm({
    start: { title: reply?.title ?? '', body: reply?.body ?? '', variants: reply?.variants ?? [] },
    schema: cannedReplies.add.input,
    save: save.mutate,
    isBusy: save.isPending,
  })
  const isChanged = theirs && !isSame(values, theirs)

  return (
    <FormDialog
      {...dialog}
      title={reply ? 'Edit a canned reply' : 'Add a canned reply'}
      action={isChanged ? 'Save anyway' : 'Save'}
      onClose={onClose}
      before={
        isChanged && (
          <div className="warning small inbox-composer-notice" role="alert">
            <p>Somebody else has changed this canned reply to “{theirs.title}”:</p>
            <p className="break inbox-text inbox-composer-quote" dir="auto">
              {theirs.body}
            </p>
            <Button onClick={() => set(theirs)}>Use that text</Button>
          </div>
        )
      }
      after={
        <>
          <h3>Preview</h3>
          <p className="break inbox-canned-preview" dir="auto">
            {fillPlaceholders(values.body, { ...EXAMPLE, agent, agency }) || 'Nothing written yet.'}
          </p>
        </>
      }
    >
      <TextField
        {...at('title')}
        label="Title"
        hint="The label of its button."
        autoComplete="off"
        maxLength={MAX_CANNED_TITLE}
      />
      <AreaField
        {...at('body')}
        label="Text"
        hint={HINT}
        rows={7}
        maxLength={MAX_TEXT}
        error={unknownIn(values.body) ?? (values.body.trim() ? undefined : at('body').error)}
      />
      <Variants
        variants={values.variants}
        errorAt={(place, name) => at('variants', `variants.${place}.${name}`).error}
        onVariants={variants => set({ variants })}
      />
    </FormDialog>
  )
}

type Texts = Pick<CannedReply, 'title' | 'body' | 'variants'>

const isSame = (one: Texts, other: Texts) =>
  one.title === other.title &&
  one.body === other.body &&
  JSON.stringify(one.variants) === JSON.stringify(other.variants)

interface VariantsProps {
  readonly variants: readonly CannedVariant[]
  readonly errorAt: (place: number, name: keyof CannedVariant) => string | undefined
  readonly onVariants: (variants: CannedVariant[]) => void
}

/** The same text in further languages, each for visitors who write in it. */
function Variants({ variants, errorAt, onVariants }: VariantsProps) {
  const change = (place: number, part: Partial<CannedVariant>) =>
    onVariants(variants.map((variant, at) => (at === place ? { ...variant, ...part } : variant)))
  const free = languagesByName.filter(([code]) => variants.every(({ language }) => language !== code))
  return (
    <>
      {variants.map((variant, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other name while its language is being chosen
        <fieldset key={place} className="inbox-canned-variant">
          <legend>In {nameLanguage(variant.language)}</legend>
          <ChoiceField<LanguageCode>
            label="Language"
            options={new Map(languagesByName)}
            value={variant.language}
            error={errorAt(place, 'language')}
            onValue={language => change(place, { language })}
          />
          <AreaField
            label={`Text in ${nameLanguage(variant.language)}`}
            lang={variant.language}
            dir="auto"
            rows={5}
            maxLength={MAX_TEXT}
            value={variant.body}
            error={unknownIn(variant.body) ?? (variant.body.trim() ? undefined : errorAt(place, 'body'))}
            onValue={body => change(place, { body })}
          />
          <Button onClick={() => onVariants(variants.toSpliced(place, 1))}>
            Remove<span className="visually-hidden"> the text in {nameLanguage(variant.language)}</span>
          </Button>
        </fieldset>
      ))}
      {free[0] && (
        <ChoiceField<LanguageCode | ''>
          label="Add another language"
          hint="A visitor who writes in it is answered with its text. What they write is recognised in your browser, and sent to nobody."
          options={new Map<LanguageCode | '', string>([['', 'Choose …'], ...free])}
          value=""
          onValue={language => language && onVariants([...variants, { language, body: '' }])}
        />
      )}
    </>
  )
}

/** What is for everybody is mostly in English, but need not be. */
const languagesByName = languages
  .map(code => [code, nameLanguage(code)] as const)
  .sort(([, one], [, other]) => one.localeCompare(other, 'en-AU'))

const HINT = `${placeholders.map(name => `{${name}}`).join(', ')} are filled in for each enquiry. {agent} is your registered agent; {service} becomes “your enquiry” where the visitor named none.`

/** An unknown placeholder is an error at once, what is missing only when somebody saves. */
function unknownIn(body: string): string | undefined {
  const unknown = unknownPlaceholders(body)
  return unknown.length > 0 ? describeUnknown(unknown) : undefined
}

const Changed = z.object({ cannedReply: CannedReply })
