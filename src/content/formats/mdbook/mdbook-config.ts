import { joinRoute } from '../../routes/routed-page.ts'
import { inFolder } from '../../routes/site-roots.ts'
import type { SiteReading } from '../../site-reading.ts'
import { readText } from '../../trees/read-text.ts'

export interface MdbookConfig {
  title: string
  description: string
  /** The path at which the book is published. */
  base: string
  /** Folder of the chapters in the tree. */
  folder: string
  language: string | null
  /** Former address below `base` → where it leads, as written. */
  redirects: [from: string, to: string][]
}

const table = /^\s*\[([^[\]\n]{1,200})\]\s*(?:#.*)?$/
const setting = /^\s*(?:"([^"\n]{1,300})"|([\w.-]{1,100}))\s*=\s*(?:"([^"\n]{0,1000})"|'([^'\n]{0,1000})')/

/** Reads `book.toml`. The settings that matter are texts on one line, so nothing else of TOML is read. */
export async function readMdbookConfig(reading: SiteReading, root: string): Promise<MdbookConfig> {
  const tables = readTables((await readText(reading, inFolder(root, 'book.toml'))) ?? '')
  const book = tables.get('book') ?? new Map<string, string>()
  return {
    title: book.get('title') ?? '',
    description: book.get('description') ?? '',
    base: joinRoute(tables.get('output.html')?.get('site-url') ?? '/'),
    folder: inFolder(root, joinRoute(book.get('src') ?? 'src').slice(1)),
    language: book.get('language') ?? null,
    redirects: [...(tables.get('output.html.redirect') ?? [])],
  }
}

function readTables(text: string): Map<string, Map<string, string>> {
  const tables = new Map<string, Map<string, string>>()
  let current = new Map<string, string>()
  for (const line of text.split('\n')) {
    const name = table.exec(line)?.[1]?.trim()
    if (name !== undefined) {
      current = tables.get(name) ?? new Map<string, string>()
      tables.set(name, current)
    }
    const [match, quoted, bare = '', double, single = ''] = setting.exec(line) ?? []
    if (match !== undefined) current.set(quoted ?? bare, double ?? single)
  }
  return tables
}
