import { countOf } from '../../contract/count-of.ts'
import { siteFormats } from '../../content/formats/site-formats.ts'
import { isPageFile } from '../../content/trees/source-path.ts'
import type { SiteSource } from '../../store/sites/sites.ts'

/** What a repository's file paths reveal about the documentation site in it. Reads no files. */
interface FoundDocumentation {
  /** Null if only Markdown files were found, or none. */
  format: string | null
  /** The folder of its configuration; empty for the root. */
  folder: string
  /** Markdown and MDX files. */
  pages: number
}

/** @param paths Paths of all files, relative to the folder that the site is read from. */
function findDocumentation(paths: readonly string[]): FoundDocumentation {
  const found = paths.flatMap((path) => {
    const segments = path.split('/')
    // A configuration file is at most two folders below that of its site.
    return [1, 2, 3].flatMap((length) => {
      const depth = segments.length - length
      const file = segments.slice(depth).join('/')
      const order = depth < 0 ? -1 : siteFormats.findIndex(({ configFile }) => configFile?.test(file) === true)
      return order === -1 ? [] : [{ order, depth, folder: segments.slice(0, depth).join('/') }]
    })
  })
  const [nearest] = found.toSorted((a, b) => a.depth - b.depth || a.order - b.order)
  return {
    format: nearest === undefined ? null : (siteFormats[nearest.order]?.label ?? null),
    folder: nearest?.folder ?? '',
    pages: paths.filter((path) => isPageFile(path)).length,
  }
}

/** Reports what was found in the folder that a site is read from. */
export function reportDocumentation(
  paths: readonly string[],
  { kind, subdirectory }: Pick<SiteSource, 'kind' | 'subdirectory'>,
  note: (state: 'passed' | 'warning', message: string) => void,
): void {
  const { format, folder, pages } = findDocumentation(paths)
  const root = kind === 'folder' ? 'the folder' : 'the repository'
  const where = subdirectory === '' ? root : subdirectory
  if (format === null && pages === 0) {
    note('warning', `There are no Markdown files in ${where}. Set the subdirectory to the site's folder.`)
    return
  }
  const place = folder === '' ? where : `${subdirectory === '' ? '' : `${subdirectory}/`}${folder}`
  const files = countOf(pages, 'Markdown file')
  const found =
    format === null
      ? `There ${pages === 1 ? 'is' : 'are'} ${files} in ${place}, and no configuration of a site generator.`
      : `There is a ${format} site in ${place}, with ${files}.`
  note('passed', found)
}
