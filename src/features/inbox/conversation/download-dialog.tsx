import { useRef, useState } from 'react'
import { saveFile } from '../../../platform/zip.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../../ui/client.ts'
import { CancelButton, Dialog } from '../../../ui/dialog/dialog.tsx'
import { showToast } from '../../../ui/toast/toast.ts'
import type { Message } from '../contract.ts'
import { useOptions } from '../queries.ts'
import { collectConversation } from './conversation-file.ts'

type Progress = { readonly done: number; readonly total: number }

/** Says what the file has, and makes it: files may be many, and can be given up. */
export function DownloadDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const { id, reference } = message
  const timeZone = useOptions()?.timeZone
  const [progress, setProgress] = useState<Progress | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const stopping = useRef(new AbortController())

  async function download(timeZone: string) {
    const { signal } = stopping.current
    setFailed(false)
    setProgress({ done: 0, total: 0 })
    try {
      const onProgress = (done: number, total: number) => setProgress({ done, total })
      const made = await collectConversation(id, { call, fetchFile, timeZone, onProgress, signal })
      if (signal.aborted) return
      saveFile(`${reference}.zip`, made.archive)
      showToast({ title: 'Conversation downloaded', description: describeMissing(made.missing) })
      onClose()
    } catch {
      if (!signal.aborted) setFailed(true)
    } finally {
      setProgress(null)
    }
  }

  return (
    <Dialog
      title="Download the conversation"
      onClose={() => {
        stopping.current.abort()
        onClose()
      }}
      actions={
        <>
          <CancelButton />
          <Button kind="primary" isIdle={progress !== null} onClick={() => timeZone && download(timeZone)}>
            {progress ? 'Collecting …' : 'Download ZIP'}
          </Button>
        </>
      }
    >
      <p>
        One file for your records: a page with the enquiry, emails, replies and phone calls, which every
        browser opens, and the files that came. Times are those of the office. Notes and drafts are not in it.
      </p>
      <p role="status" className="small">
        {progress && progress.total > 0 && (
          <>
            <progress aria-label="Files" max={progress.total} value={progress.done} /> File{' '}
            {progress.done + 1} of {progress.total}
          </>
        )}
      </p>
      {hasFailed && (
        <p role="alert" className="warning small inbox-composer-notice">
          It could not be read to the end. Nothing was saved: please try again.
        </p>
      )}
    </Dialog>
  )
}

/** @throws when it did not arrive as a whole */
async function fetchFile(address: string, signal: AbortSignal) {
  const reply = await fetch(address, { signal })
  if (reply.status === 404) return null
  if (!reply.ok) throw new Error(`${reply.status}`)
  return new Uint8Array(await reply.arrayBuffer())
}

function describeMissing(missing: readonly string[]): string | undefined {
  return missing.length > 0 ? `Without what is not kept: ${missing.join(', ')}.` : undefined
}
