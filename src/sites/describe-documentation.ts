import type { SiteSource } from '../store/sites.ts'

/** Files that tell how a site is built, and what people call that. The first one that is found nearest to the root counts. */
const formats: readonly { file: RegExp; name: string }[] = [
  { file: /^docs\.json$/, name: 'docs.json' },
  { file: /^mint\.json$/, name: 'mint.json' },
  { file: /^mkdocs\.ya?ml$/, name: 'MkDocs' },
  { file: /^docusaurus\.config\.\w+$/, name: 'Docusaurus' },
  { file: /^astro\.config\.\w+$/, name: 'Starlight' },
  { file: /^\.vitepress\/config\.\w+$/, name: 'VitePress' },
  { file: /^source\.config\.\w+$/, name: 'Fumadocs' },
  { file: /^llms(?:-full)?\.txt$/, name: 'llms.txt' },
]

/** What the files of a repository look like to somebody who wants a documentation site of them. Nothing is read. */
interface DocumentationLook {
  /** Null where only Markdown files were found, or none. */
  format: string | null
  /** Where its configuration lies; empty for the root. */
  folder: string
  /** Markdown and MDX files. */
  pages: number
}

/** @param paths Of all files, below the folder that the site is read from. */
function lookForDocumentation(paths: readonly string[]): DocumentationLook {
  const found = paths.flatMap((path) => {
    const at = /^(?<folder>.*?)(?<file>(?:\.vitepress\/)?[^/]+)$/.exec(path)?.groups
    const order = formats.findIndex(({ file }) => file.test(at?.['file'] ?? ''))
    return order === -1 ? [] : [{ order, folder: at?.['folder'] ?? '' }]
  })
  const depth = (folder: string) => folder.split('/').length
  const [nearest] = found.toSorted((a, b) => depth(a.folder) - depth(b.folder) || a.order - b.order)
  return {
    format: nearest === undefined ? null : (formats[nearest.order]?.name ?? null),
    folder: nearest?.folder.replace(/\/$/, '') ?? '',
    pages: paths.filter((path) => /\.mdx?$/i.test(path)).length,
  }
}

/** Says what was found in the files below the folder that a site is read from. */
export function noteDocumentation(
  paths: readonly string[],
  { kind, subdirectory }: Pick<SiteSource, 'kind' | 'subdirectory'>,
  note: (state: 'passed' | 'warning', message: string) => void,
): void {
  const { format, folder, pages } = lookForDocumentation(paths)
  const root = kind === 'folder' ? 'the folder' : 'the repository'
  const where = subdirectory === '' ? root : subdirectory
  if (format === null && pages === 0) {
    note('warning', `There is no Markdown file in ${where}. Name the folder of the site as its subdirectory.`)
    return
  }
  const what = format === null ? 'Markdown pages without a configuration' : `a ${format} site`
  const place = folder === '' ? where : `${subdirectory === '' ? '' : `${subdirectory}/`}${folder}`
  note('passed', `There is ${what} in ${place}, with ${pages} Markdown files.`)
}
