/** An entry of an export of WordPress, with what a test wants to be different. */
export interface ExportedItem {
  readonly id: number
  readonly type?: string
  readonly status?: string
  readonly title?: string
  readonly link?: string
  readonly name?: string
  readonly parent?: number
  readonly content?: string
  readonly excerpt?: string
  readonly attachment?: string
  readonly password?: string
  readonly meta?: Readonly<Record<string, string>>
  /** XML within the item, as it is. */
  readonly more?: string
}

export const OLD_SITE = 'https://old.example'

const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

/** An export file as WordPress 6 writes it. */
export function exportOf(items: readonly ExportedItem[]): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<!-- generator="WordPress/6.8" -->
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Southern Keel</title><link>${OLD_SITE}</link>
<wp:wxr_version>1.2</wp:wxr_version><wp:base_site_url>${OLD_SITE}</wp:base_site_url><wp:base_blog_url>${OLD_SITE}</wp:base_blog_url>
<wp:author><wp:author_login>${cdata('mei')}</wp:author_login><wp:author_display_name>${cdata('Mei Tanaka')}</wp:author_display_name></wp:author>
${items.map(toItem).join('\n')}
</channel></rss>`
}

function toItem(item: ExportedItem): string {
  const {
    id,
    type = 'post',
    status = 'publish',
    title = `Post ${id}`,
    content = '',
    excerpt = '',
    more = '',
  } = item
  const meta = Object.entries(item.meta ?? {}).map(
    ([key, value]) =>
      `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`,
  )
  return `<item><title>${cdata(title)}</title><link>${item.link ?? `${OLD_SITE}/2021/03/post-${id}/`}</link>
<dc:creator>${cdata('mei')}</dc:creator><guid isPermaLink="false">${OLD_SITE}/?p=${id}</guid>
<content:encoded>${cdata(content)}</content:encoded><excerpt:encoded>${cdata(excerpt)}</excerpt:encoded>
<wp:post_id>${id}</wp:post_id><wp:post_date>${cdata('2021-03-04 10:00:00')}</wp:post_date>
<wp:post_name>${cdata(item.name ?? `post-${id}`)}</wp:post_name><wp:status>${cdata(status)}</wp:status>
<wp:post_parent>${item.parent ?? 0}</wp:post_parent><wp:post_type>${cdata(type)}</wp:post_type>
<wp:post_password>${cdata(item.password ?? '')}</wp:post_password>
${item.attachment ? `<wp:attachment_url>${cdata(item.attachment)}</wp:attachment_url>` : ''}${meta.join('')}${more}</item>`
}

/** A post with everything that posts have, and words by which each part of it is found again. */
export function richPost(id: number): ExportedItem {
  const uploads = `${OLD_SITE}/wp-content/uploads/2021/03`
  return {
    id,
    content: `<!-- wp:paragraph --><p>Opening${id} with <strong>bold${id}</strong> and <a href="${OLD_SITE}/2021/03/post-${id + 1}/">next${id}</a>.</p><!-- /wp:paragraph -->
<!-- wp:heading --><h2>Heading${id}</h2><!-- /wp:heading -->
<ul><li>first${id}<ul><li>inner${id}</li></ul></li><li>second${id}</li></ul>
[caption id="attachment_5" align="alignnone"]<a href="${uploads}/a-${id}.jpg"><img src="${uploads}/a-${id}-300x200.jpg" alt="alt${id}"></a> caption${id}[/caption]
<figure class="wp-block-image"><img src="${uploads}/missing-${id}.png" alt="gone${id}"/><figcaption>figcaption${id}</figcaption></figure>
[gallery ids="9001,9002"]
<figure class="wp-block-table"><table><thead><tr><th>Visa${id}</th><th>Fee</th></tr></thead><tbody><tr><td>482</td><td><a href="https://example.com/x">cell${id}</a></td></tr></tbody></table><figcaption>table${id}</figcaption></figure>
[contact-form-7 id="12" title="Contact"]
<script>evil${id}()</script><iframe src="https://www.youtube.com/embed/${id}"></iframe>
<p onclick="evil()">click${id} <a href="javascript:evil()">script${id}</a> <a href="data:text/html,evil">data${id}</a> [sic]</p>
<img src="x" onerror="evil()" alt="hostile${id}">
<blockquote>quote${id}</blockquote>`,
    more: '<category domain="category" nicename="news"><![CDATA[News]]></category><wp:comment><wp:comment_content><![CDATA[spam]]></wp:comment_content></wp:comment>',
  }
}
