import { crawlFormat } from './crawl/crawl-format.ts'
import { docsJsonFormat } from './docs-json/docs-json-format.ts'
import { docusaurusFormat } from './docusaurus/docusaurus-format.ts'
import { fumadocsFormat } from './fumadocs/fumadocs-format.ts'
import { llmsTextFormat } from './llms-text/llms-text-format.ts'
import { markdownFormat } from './markdown/markdown-format.ts'
import { mintJsonFormat } from './mint-json/mint-json-format.ts'
import { mkdocsFormat } from './mkdocs/mkdocs-format.ts'
import { nextraFormat } from './nextra/nextra-format.ts'
import type { SiteFormat } from './site-format.ts'
import { starlightFormat } from './starlight/starlight-format.ts'
import { vitepressFormat } from './vitepress/vitepress-format.ts'

/** The site nearest to the root of a tree is read, of several there the first of these. */
export const siteFormats: readonly SiteFormat[] = [
  docsJsonFormat,
  mintJsonFormat,
  crawlFormat,
  starlightFormat,
  vitepressFormat,
  docusaurusFormat,
  fumadocsFormat,
  mkdocsFormat,
  nextraFormat,
  llmsTextFormat,
]

/** Configuration files that name pages by their paths, in the order in which they count. */
export const navigationFiles: readonly string[] = siteFormats.flatMap(({ navigationFile }) => navigationFile ?? [])

/** @param name As in `SiteContent.format`. */
export function siteFormatOf(name: string): SiteFormat {
  return siteFormats.find((format) => format.name === name) ?? markdownFormat
}

/** The format of a tree, and the folder that holds the site: Markdown in the root where no other fits. */
export function locateSite(paths: ReadonlySet<string>): { format: SiteFormat; root: string } {
  const located = siteFormats.flatMap((format) => {
    const root = format.locate(paths)
    return root === null ? [] : [{ format, root, depth: root === '' ? 0 : root.split('/').length }]
  })
  // Sorting keeps the order of equals.
  return located.sort((a, b) => a.depth - b.depth)[0] ?? { format: markdownFormat, root: '' }
}
