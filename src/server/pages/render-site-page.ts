import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeSlug from 'rehype-slug'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import type { Element, Root } from 'hast'
import { html, raw } from 'hono/html'
import type { IndexedPage } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'

type ListedPage = Omit<IndexedPage, 'markdown'>

export interface SitePageView {
  site: LiveSite
  /** In navigation order. */
  pages: readonly ListedPage[]
  page: IndexedPage
}

/** Plain HTML of a public page: navigation, text, nothing that runs. */
export async function renderSitePage({ site, pages, page }: SitePageView) {
  const base = `/sites/${site.slug}`
  const siteName = site.index.header.siteName || site.name
  const text = await renderMarkdown(page.markdown, base)
  return html`<!doctype html>
    <html lang="${page.language ?? 'en'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title} · ${siteName}</title>
        <meta name="description" content="${page.description}" />
        <link rel="stylesheet" href="/assets/site.css" />
        <link rel="alternate" type="text/markdown" href="${base}${page.path === '/' ? '/index' : page.path}.md" />
      </head>
      <body>
        <a class="skip" href="#text">Skip to the text</a>
        <header><a href="${base}">${siteName}</a></header>
        <nav aria-label="Pages">${groupPages(pages).map((group) => renderGroup(group, base, page.path))}</nav>
        <main id="text">
          <h1>${page.title}</h1>
          ${page.description === '' ? '' : html`<p class="description">${page.description}</p>`} ${raw(text)}
        </main>
      </body>
    </html>`
}

interface PageGroup {
  title: string
  pages: ListedPage[]
}

/** Neighbours in the navigation that share their innermost container. */
function groupPages(pages: readonly ListedPage[]): PageGroup[] {
  const groups: PageGroup[] = []
  for (const page of pages.filter(({ isListed }) => isListed)) {
    const title = page.section.at(-1) ?? ''
    const last = groups.at(-1)
    if (last?.title === title) last.pages.push(page)
    else groups.push({ title, pages: [page] })
  }
  return groups
}

function renderGroup({ title, pages }: PageGroup, base: string, currentPath: string) {
  const items = pages.map(({ path, title }) => {
    const href = `${base}${path === '/' ? '' : encodeURI(path)}`
    return path === currentPath
      ? html`<li><a href="${href}" aria-current="page">${title}</a></li>`
      : html`<li><a href="${href}">${title}</a></li>`
  })
  return html`${title === '' ? '' : html`<h2>${title}</h2>`}
    <ul>
      ${items}
    </ul>`
}

/** Headings keep the ids that answers link to. Everything else of the default schema stands: no script, style or frame. */
const sanitizeSchema = { ...defaultSchema, clobberPrefix: '', clobber: [] }

function renderMarkdown(markdown: string, base: string): Promise<string> {
  return unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype)
    .use(rehypeSlug)
    .use(rehypeSanitize, sanitizeSchema)
    .use(() => (tree: Root) => rebaseLinks(tree, base))
    .use(rehypeStringify)
    .process(markdown)
    .then(String)
}

/** Links within the site are root-relative on the site's own host; here the site lies under a path. */
function rebaseLinks(tree: Root, base: string): void {
  visit(tree, 'element', ({ tagName, properties }: Element) => {
    const { href } = properties
    if (tagName === 'a' && typeof href === 'string' && /^\/(?!\/)/.test(href)) properties.href = base + href
  })
}
