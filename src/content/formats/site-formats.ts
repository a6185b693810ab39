import { crawlFormat } from './crawl/crawl-format.ts'
import { docsJsonFormat } from './docs-json/docs-json-format.ts'
import { docusaurusFormat } from './docusaurus/docusaurus-format.ts'
import { fumadocsFormat } from './fumadocs/fumadocs-format.ts'
import { llmsTextFormat } from './llms-text/llms-text-format.ts'
import { markdownFormat } from './markdown/markdown-format.ts'
import { mdbookFormat } from './mdbook/mdbook-format.ts'
import { mintJsonFormat } from './mint-json/mint-json-format.ts'
import { mkdocsFormat } from './mkdocs/mkdocs-format.ts'
import { nextraFormat } from './nextra/nextra-format.ts'
import { filesBelow, inFolder } from '../routes/site-roots.ts'
import type { SiteFormat } from './site-format.ts'
import { starlightFormat } from './starlight/starlight-format.ts'
import { vitepressFormat } from './vitepress/vitepress-format.ts'

/** By precedence, if several sites are equally near the root of a tree. */
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
  mdbookFormat,
  llmsTextFormat,
]

/** Configuration files that list pages by path, by precedence. */
export const navigationFiles: readonly string[] = siteFormats.flatMap(({ navigationFile }) => navigationFile ?? [])

/**
 * Finds the format and the folder of a tree's site; falls back to Markdown.
 *
 * @param below Folder of the tree that contains the site, `''` for the root.
 */
export function locateSite(paths: ReadonlySet<string>, below = ''): { format: SiteFormat; root: string } {
  const own = below === '' ? paths : new Set(filesBelow(paths, below).keys())
  const located = siteFormats.flatMap((format) => {
    const root = format.locate(own)
    return root === null ? [] : [{ format, root, depth: root === '' ? 0 : root.split('/').length }]
  })
  // The sort is stable: equals keep their precedence.
  const [nearest] = located.sort((a, b) => a.depth - b.depth)
  return { format: nearest?.format ?? markdownFormat, root: inFolder(below, nearest?.root ?? '') }
}
