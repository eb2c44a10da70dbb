import { useMayCall } from '../../../ui/me-query.ts'
import { ScreenHead } from '../../../ui/screen-head.tsx'
import { ArchiveExport, ArchiveImport } from './archive-import.tsx'
import { moving } from './contract.ts'
import { LastReport } from './import-report.tsx'
import { WordPressImport } from './wordpress-import.tsx'

/** Brings content here from elsewhere. */
export function MovingPanel() {
  const mayImport = useMayCall()(moving.import)
  return (
    <>
      <p className="quiet small content-editor-crumb">
        <a href="/content">Content</a> /
      </p>
      <ScreenHead title="Import and export" />
      {mayImport && <WordPressImport />}
      {mayImport && <ArchiveImport />}
      <ArchiveExport />
      {mayImport && <LastReport />}
    </>
  )
}
