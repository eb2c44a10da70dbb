import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { describeBytes } from '../../../ui/describe-bytes.ts'
import { type PressGuard, usePressGuard } from '../../../ui/form/press-guard.ts'
import { useStore } from '../../../ui/state-store.ts'
import { showFailure } from '../../../ui/toast/toast.ts'
import type { OpenMessage } from '../contract.ts'
import { MenuItem, ToolMenu } from '../toolbar/tool-menu.tsx'
import type { Attachment } from './contract.ts'
import {
  addFiles,
  attachCopy,
  canGoOn,
  draftFilesOf,
  goOn,
  isThere,
  removeFile,
  type Upload,
  uploads,
} from './uploads.ts'

/** The files of the reply that is being written. */
export function useDraftFiles(open: OpenMessage) {
  const client = useQueryClient()
  const { id } = open.message
  const files = draftFilesOf(open, useStore(uploads(id)))
  return {
    files,
    ids: files.flatMap(({ file }) => file?.id ?? []),
    /** Why the reply cannot go out now. */
    obstacle: obstacleOf(files),
    add: (added: readonly File[]) => addFiles(client, id, added),
  }
}

function obstacleOf(files: readonly Upload[]): string | null {
  if (files.some(({ problem }) => problem !== null)) return 'Remove the files that are not there first.'
  return files.every(isThere) ? null : 'It can be sent once all files are there.'
}

interface FilePillsProps {
  /** Of the message. */
  readonly id: string
  readonly files: readonly Upload[]
  /** Whether they are being sent, so that none is removed. */
  readonly isSending: boolean
}

/** Each file with how much of it has arrived, and what can be done about one that has not. */
export function FilePills({ id, files, isSending }: FilePillsProps) {
  const once = usePressGuard()
  if (files.length === 0) return null
  return (
    <ul className="line wrap inbox-draft-files" aria-label="Files of the reply">
      {files.map(upload => (
        <FilePill key={upload.key} id={id} upload={upload} isHeld={isSending} once={once} />
      ))}
    </ul>
  )
}

interface FilePillProps {
  readonly id: string
  readonly upload: Upload
  readonly isHeld: boolean
  /** Of all files. */
  readonly once: PressGuard
}

function FilePill({ id, upload, isHeld, once }: FilePillProps) {
  const client = useQueryClient()
  const { key, name, size, sent, problem } = upload
  const isSending = problem === null && !isThere(upload)
  const percent = Math.floor((100 * sent) / (size || 1))
  function remove() {
    const sayFailed = (error: unknown) => showFailure(`${name} was not removed`, error, 'Try again.')
    // The next file takes its place under the mouse: the second half of a double click removes nothing.
    once(() => removeFile(client, id, upload).catch(sayFailed), 'remove', key)
  }
  return (
    <li className="line wrap small inbox-draft-file" data-failed={problem === null ? undefined : ''}>
      {isSending && <progress aria-label={`Upload of ${name}`} value={sent} max={size} />}
      <bdi className="clip">{name}</bdi>
      <span className="quiet">
        {isSending ? `${percent} % of ${describeBytes(size)}` : problem === null && describeBytes(size)}
      </span>
      {problem !== null && <span role="alert">{problem}</span>}
      {problem !== null && canGoOn(key) && (
        <Button kind="link" onClick={() => goOn(client, id, key)}>
          Try again
        </Button>
      )}
      <Button kind="quiet" aria-label={`Remove ${name}`} isIdle={isHeld} onClick={remove}>
        ×
      </Button>
    </li>
  )
}

interface AttachMenuProps {
  readonly open: OpenMessage
  readonly onFiles: (files: readonly File[]) => void
}

/** Chooses files of this machine, or of the conversation. */
export function AttachMenu({ open, onFiles }: AttachMenuProps) {
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const known = filesOf(open)
  const { id } = open.message
  const once = usePressGuard()
  const attach = (file: Attachment) => {
    const sayFailed = (error: unknown) => showFailure(`${file.name} was not attached`, error, 'Try again.')
    once(() => attachCopy(client, id, file).catch(sayFailed), file.id, file.id)
  }
  return (
    <>
      <ToolMenu label="Attach" icon="attach">
        <MenuItem onChoose={() => input.current?.click()}>Choose files …</MenuItem>
        {known.length > 0 && <p className="quiet small inbox-tool-none">From this conversation</p>}
        {known.map(file => (
          <MenuItem key={file.id} onChoose={() => attach(file)}>
            <bdi>{file.name}</bdi>
            <span className="quiet small">{describeBytes(file.size)}</span>
          </MenuItem>
        ))}
      </ToolMenu>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="Files of the reply"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
    </>
  )
}

/** The files of what is shown of a conversation that are kept, the newest first; each content once. */
function filesOf({ mail, entries, notes }: OpenMessage): Attachment[] {
  const all = [mail, ...entries, ...notes].flatMap(part => part?.attachments ?? [])
  const kept = all.filter(({ state }) => state === 'kept').reverse()
  return [...new Map(kept.map(file => [`${file.name} ${file.size}`, file])).values()]
}

/** The files on a clipboard, unless it has a formatted text as well: that is what somebody wants from a text or a table. */
export function pastedFiles({ types, files }: DataTransfer): readonly File[] {
  return types.includes('text/html') || types.includes('text/rtf') ? [] : [...files]
}
