import { readSite } from '../../content/read-site.ts'
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
  /** What could not be read as written. */
  problems: string[]
}

/** Renders one page of a site. @returns Null if the file is no page of the site. */
export async function renderSitePage(tree: FileTree, path: string, signal: AbortSignal): Promise<RenderedPage | null> {
  const site = await readSite(tree, {
    signal,
    aroundFlatten: (library, page, flatten) => (page.file === path ? flatten(library) : Promise.resolve('')),
  })
  const page = site.pages.find(({ file }) => file === path)
  if (page === undefined) return null
  const { path: address, title, description, section, isSearchable, markdown } = page
  const problems = site.findings.filter(({ file }) => file === path).map(({ message }) => message)
  return { path, address, title, description, section, isSearchable, text: markdown, problems }
}
