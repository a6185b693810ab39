import { z } from 'zod'
import type { FileTree } from '../trees/file-tree.ts'
import { FindingList } from '../finding-list.ts'
import { navigationFiles } from '../formats/site-formats.ts'
import { isRecord } from '../site-config/parse-tolerantly.ts'
import { readConfig } from '../site-config/resolve-config-references.ts'

const redirectsSchema = z
  .array(
    z
      .object({ source: z.string().max(2000), destination: z.string().max(2000) })
      .nullable()
      .catch(null),
  )
  .max(50_000)

export interface Redirects {
  /** The file that defines them; empty if the site has none. */
  file: string
  list: readonly { source: string; destination: string }[]
  /** Whether a path redirects. */
  leadsOn: (path: string) => boolean
}

/** Reads the `redirects` of a navigation file such as `docs.json`; empty for sites of other formats. */
export async function readRedirects(tree: FileTree): Promise<Redirects> {
  const paths = new Set(tree.paths)
  const file = navigationFiles.find((name) => paths.has(name))
  if (file === undefined) return { file: '', list: [], leadsOn: () => false }
  const config = await readConfig({ tree, findings: new FindingList(), paths }, file)
  const parsed = redirectsSchema.safeParse(isRecord(config?.value) ? config.value['redirects'] : undefined)
  const list = parsed.success ? parsed.data.filter((entry) => entry !== null) : []
  const sources = list.map(({ source }) => normalize(source))
  const exact = new Set(sources.filter((source) => !/[:*]/.test(source)))
  const patterns = sources.filter((source) => /[:*]/.test(source)).map((source) => source.split('/'))
  const leadsOn = (path: string) => {
    const normal = normalize(path)
    const segments = normal.split('/')
    return exact.has(normal) || patterns.some((pattern) => matchesPattern(pattern, segments))
  }
  return { file, list, leadsOn }
}

function normalize(path: string): string {
  return `/${path.replace(/[?#].*$/, '').replace(/^\/+|\/+$/g, '')}`
}

/** `:name` matches one segment; a segment with `*` matches all the rest. */
function matchesPattern(pattern: readonly string[], segments: readonly string[]): boolean {
  for (const [index, part] of pattern.entries()) {
    if (part.includes('*')) return segments.length >= index
    const segment = segments[index]
    if (segment === undefined || (!part.startsWith(':') && part !== segment)) return false
  }
  return pattern.length === segments.length
}
