/** The paths of a visa page and an article that a new installation has. @throws when it has none */
export async function findDocuments(url: string): Promise<readonly string[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text()
  return ['/visas/', '/news/'].map(folder => {
    const path = new RegExp(`<loc>https?://[^/]+(${folder}[^<]+)</loc>`).exec(sitemap)?.[1]
    if (!path) throw new Error(`The sitemap names no page below ${folder}`)
    return path
  })
}
