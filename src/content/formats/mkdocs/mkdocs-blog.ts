import { type PageFile, loadPageFile } from '../../pages/load-page.ts'
import { fieldsOf } from '../../pages/page-head.ts'
import { joinRoute } from '../../routes/routed-page.ts'
import { inFolder } from '../../routes/site-roots.ts'
import type { ConfigFields } from '../../site-config/config-fields.ts'
import type { SiteReading } from '../../site-reading.ts'
import { deriveTitle } from '../../trees/source-path.ts'

/** The blog plugin of Material for MkDocs. */
interface BlogOptions {
  /** Folder of the blog below that of the pages; empty if the whole site is a blog. */
  folder: string
  postFolder: string
  urlFormat: string
  dateFormat: string
  separator: string
  categoriesMax: number
}

/** How the plugin makes addresses of posts and of its lists. */
export interface MkdocsBlog {
  /** @param name Path of a page below the folder of the pages. */
  isPost: (name: string) => boolean
  /** The address of a post below the site's base; null if it has no date, without which it is not published. */
  routeOf: (file: string) => Promise<string | null>
  /** Addresses of generated lists, as patterns below the site's base. */
  lists: string[]
}

export function createMkdocsBlog(reading: SiteReading, fields: ConfigFields): MkdocsBlog {
  const options = readOptions(fields)
  return {
    isPost: (name) => name.startsWith(`${options.postFolder}/`),
    routeOf: async (file) => {
      const page = await loadPageFile(reading, file)
      return page === null ? null : routeOfPost(page, options, fieldsOf(page.fields, reading))
    },
    lists: ['archive', 'category', 'page', 'author'].map((name) => joinRoute(options.folder, name, '*')),
  }
}

function readOptions(fields: ConfigFields): BlogOptions {
  const folder = joinRoute(fields.text('blog_dir') ?? 'blog').slice(1)
  const posts = (fields.text('post_dir') ?? '{blog}/posts').replace('{blog}', folder)
  return {
    folder,
    postFolder: joinRoute(posts).slice(1),
    urlFormat: fields.text('post_url_format') ?? '{date}/{slug}',
    dateFormat: fields.text('post_url_date_format') ?? 'yyyy/MM/dd',
    separator: fields.text('post_slugify_separator') ?? '-',
    categoriesMax: fields.number('post_url_max_categories') ?? 1,
  }
}

function routeOfPost({ file, body, frontmatter }: PageFile, options: BlogOptions, fields: ConfigFields): string | null {
  const date = fields.text('date') ?? fields.fields('date').text('created') ?? ''
  const [match, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})/.exec(date) ?? []
  if (match === undefined) return null
  const heading = /^# +(\S.{0,300}?)[ \t]*(?:\{[^{}\n]*\})?[ \t]*$/m.exec(body)?.[1]
  const slugify = (text: string) => slugOf(text, options.separator)
  const values: Readonly<Record<string, string>> = {
    date: formatDate(options.dateFormat, { yyyy: year, MM: month, dd: day }),
    slug: fields.text('slug') ?? slugify(heading ?? frontmatter.title ?? deriveTitle(file)),
    file: file.replace(/^.*\/|\.\w+$/g, ''),
    categories: fields.texts('categories').slice(0, options.categoriesMax).map(slugify).join('/'),
  }
  return joinRoute(
    inFolder(
      options.folder,
      options.urlFormat.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
    ),
  )
}

function formatDate(format: string, { yyyy, MM, dd }: { yyyy: string; MM: string; dd: string }): string {
  const short = { y: yyyy, yy: yyyy.slice(2), M: String(Number(MM)), d: String(Number(dd)) }
  const parts: Readonly<Record<string, string>> = { yyyy, MM, dd, ...short }
  return format.replace(/y+|M+|d+/g, (part) => parts[part] ?? part)
}

/** As `pymdownx.slugs`: letters of all languages stay. */
function slugOf(text: string, separator: string): string {
  return text
    .normalize('NFC')
    .replace(/<\/?[^<>]*>/g, '')
    .replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
    .trim()
    .toLowerCase()
    .replaceAll(' ', separator)
}
