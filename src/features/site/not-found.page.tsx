import { Layout, type SiteSettings } from './layout.tsx'

export function NotFoundPage({ site }: { site: SiteSettings }) {
  return (
    <Layout site={site} current="">
      <section className="site-section site-prose">
        <h1>404 Page Not Found</h1>
        <p className="lead">Did you forget to add the page to the router?</p>
        <p>
          The address may be mistyped, or the page has moved. Start again from the <a href="/">home page</a>,
          or <a href="/contact">write to us</a>.
        </p>
      </section>
    </Layout>
  )
}
