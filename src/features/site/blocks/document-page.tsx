import type { ReactNode } from 'react'
import type { PageBody } from '../../../content/page-bodies.ts'
import type { LiveDocument } from '../../../content/store.server.ts'
import type { MenuLink } from '../../../ui/header/header.tsx'
import { Layout } from '../layout.tsx'
import type { SiteSettings } from '../site-settings.ts'
import { VisaPage } from '../visas/visa.tsx'
import { ArticlePage } from './article.tsx'
import { Blocks } from './blocks.tsx'
import {
  AskBand,
  crumbsTo,
  describeArticle,
  describeBreadcrumb,
  PageHead,
  StructuredData,
} from './page-head.tsx'

/**
 * A document to show: a live one, or a draft that `findShapeErrors` accepts. The texts of a draft may be empty, its paths
 * and addresses wrong, and its facts unknown. Its times are null.
 */
export type ShownDocument = Pick<LiveDocument, 'content' | 'publishedAt' | 'changedAt'>

export function DocumentPage({ document, site }: { document: ShownDocument; site: SiteSettings }) {
  const { content, ...times } = document
  const crumbs = crumbsOf(document, site)
  return (
    <Layout site={site} current={content.body.path}>
      {content.kind === 'visa' && <VisaPage body={content.body} {...times} crumbs={crumbs} site={site} />}
      {content.kind === 'article' && (
        <ArticlePage body={content.body} {...times} crumbs={crumbs} site={site} />
      )}
      {content.kind === 'page' && <PlainPage body={content.body} crumbs={crumbs} site={site} />}
      {content.kind !== 'visa' && (
        <AskBand href="/contact#get-in-touch" heading={site.texts.documents.question} site={site} />
      )}
    </Layout>
  )
}

interface DocumentHeadProps {
  readonly document: ShownDocument
  readonly site: SiteSettings
  readonly publicUrl: string
}

export function DocumentHead({ document, site, publicUrl }: DocumentHeadProps): ReactNode {
  const { content, ...times } = document
  return (
    <>
      <StructuredData of={describeBreadcrumb(crumbsOf(document, site), publicUrl)} />
      {content.kind === 'article' && (
        <StructuredData of={describeArticle({ body: content.body, ...times }, site, publicUrl)} />
      )}
    </>
  )
}

const crumbsOf = ({ content: { kind, body } }: ShownDocument, site: SiteSettings) => [
  ...crumbsTo(kind, site),
  { href: body.path, label: body.title },
]

interface PlainPageProps {
  readonly body: PageBody
  readonly crumbs: readonly MenuLink[]
  readonly site: SiteSettings
}

function PlainPage({ body, crumbs, site }: PlainPageProps) {
  return (
    <>
      <PageHead crumbs={crumbs} title={body.title} lead={body.description} isDocument site={site} />
      <div className="site-section site-parts">
        <Blocks blocks={body.blocks} site={site} />
      </div>
    </>
  )
}
