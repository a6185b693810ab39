import type { SiteOutline } from '../../content/checks/site-outline.ts'
import { FindingList } from '../../content/finding-list.ts'
import { flattenPage } from '../../content/flatten/flatten-page.ts'
import { unreadPage } from '../../content/flatten/source-library.ts'
import { createImageFinder } from '../../content/images/find-images.ts'
import { writeHeadingIds } from '../../content/markdown/heading-anchors.ts'
import { readPageTitle } from '../../content/pages/page-title.ts'
import { readSite } from '../../content/read-site.ts'
import type { PageImage } from '../../content/site-page.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'

/** A page as readers and the assistant see it. */
export interface RenderedPage {
  path: string
  address: string
  title: string
  description: string
  /** Titles of the groups around it. */
  section: string[]
  /** Whether search and the assistant use it. */
  isSearchable: boolean
  text: string
  /** Those of the text, in its order. */
  images?: readonly PageImage[]
  /** What could not be read as written. */
  problems: string[]
}

/** Renders one page of a site. @returns Null if the file is no page of the site. */
export async function renderSitePage(tree: FileTree, path: string, signal: AbortSignal): Promise<RenderedPage | null> {
  const site = await readSite(tree, {
    signal,
    aroundFlatten: (library, page, flatten) => (page.file === path ? flatten(library) : Promise.resolve(unreadPage)),
  })
  const page = site.pages.find(({ file }) => file === path)
  if (page === undefined) return null
  const { path: address, title, description, section, isSearchable, markdown, images = [] } = page
  const problems = site.findings.filter(({ file }) => file === path).map(({ message }) => message)
  return { path, address, title, description, section, isSearchable, text: markdown, images, problems }
}

/** Renders a page that has an address, but no place in the navigation. @returns Null if the file is no such page. */
export async function renderHiddenPage({ page: find, tree }: SiteOutline, path: string): Promise<RenderedPage | null> {
  const page = await find(path)
  if (page === null || !page.isRouted) return null
  // The hooks of an outline leave pages unread.
  const library = { ...page.library, hooks: {}, findings: new FindingList() }
  const { path: address } = page
  const title = await readPageTitle(tree, path)
  const markdown = writeHeadingIds(await flattenPage(library, page), library.dialect.anchorStyle)
  const { markdown: text, images = [] } = createImageFinder(tree.paths)({ file: path, markdown })
  const problems = ['It is not in the navigation, so search and the assistant do not use it.']
  return { path, address, title, description: '', section: [], isSearchable: false, text, images, problems }
}
