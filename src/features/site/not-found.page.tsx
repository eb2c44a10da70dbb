import { sentence } from '../../i18n/sentence.ts'
import { Layout, type SiteSettings } from './layout.tsx'

export function NotFoundPage({ site }: { site: SiteSettings }) {
  const texts = site.texts.notFound
  const home = <a href="/">{texts.home}</a>
  const contact = <a href="/contact">{texts.contact}</a>
  return (
    <Layout site={site} current="">
      <section className="site-section site-prose">
        <h1>{texts.title}</h1>
        <p className="lead">{texts.lead}</p>
        <p>{sentence(texts.startAgain(home, contact))}</p>
      </section>
    </Layout>
  )
}
