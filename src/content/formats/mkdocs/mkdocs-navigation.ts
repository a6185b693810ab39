import { reportMissingPage } from '../../finding-list.ts'
import { type ConfigValue, isConfigObject } from '../../site-config/config-value.ts'
import { createFenceTracker } from '../../markdown/code-fence.ts'
import type { MkdocsConfig } from './mkdocs-config.ts'
import { splitFrontmatter } from '../../markdown/read-frontmatter.ts'
import type { SiteReading } from '../../site-reading.ts'
import { inFolder } from '../../routes/site-roots.ts'
import { readText } from '../../trees/read-text.ts'
import { capitalize, resolveSourcePath } from '../../trees/source-path.ts'

export interface NavigatedFile {
  /** Path below the folder of the pages. */
  name: string
  title: string | null
  section: string[]
}

interface Walk {
  reading: SiteReading
  config: MkdocsConfig
  /** Page files by path below the folder of the pages. */
  files: ReadonlyMap<string, string>
  found: Map<string, NavigatedFile>
}

const depthMax = 20
const entriesMax = 100_000

/**
 * Returns the files of `nav` in order, with their sections; without `nav`, all files by path, where each folder is a
 * section with its index first. With the literate-nav plugin, folders named in `nav` are read from the link list in
 * their navigation file.
 */
export async function readMkdocsNavigation(
  reading: SiteReading,
  config: MkdocsConfig,
  files: ReadonlyMap<string, string>,
): Promise<NavigatedFile[]> {
  const walk: Walk = { reading, config, files, found: new Map() }
  if (Array.isArray(config.nav)) await readItems(walk, config.nav, [], 0)
  else if (config.folderNavFile !== null) await readFolder(walk, '', [], 0)
  else addBelow(walk, '', [])
  return [...walk.found.values()]
}

async function readItems(walk: Walk, items: readonly ConfigValue[], section: string[], depth: number): Promise<void> {
  if (depth > depthMax) return
  for (const item of items) {
    if (walk.found.size > entriesMax) return
    if (typeof item === 'string') await readTarget(walk, item, null, section, depth)
    else if (isConfigObject(item)) {
      for (const [title, value] of Object.entries(item)) {
        if (Array.isArray(value)) await readItems(walk, value, [...section, title], depth + 1)
        else if (typeof value === 'string') await readTarget(walk, value, title, section, depth)
      }
    }
  }
}

async function readTarget(
  walk: Walk,
  target: string,
  title: string | null,
  section: string[],
  depth: number,
): Promise<void> {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(target)) return
  const name = target.replace(/[?#].*$/, '')
  if (target.endsWith('/') || target.endsWith('*')) {
    const folder = name.replace(/\/?\**$/, '').replace(/\/+$/, '')
    await readFolder(walk, folder, title === null ? section : [...section, title], depth + 1)
  } else if (walk.files.has(name)) add(walk, { name, title, section })
  else if (!walk.reading.paths.has(inFolder(walk.config.folder, name)))
    reportMissingPage(walk.reading.findings, { file: walk.config.file, holder: 'The navigation', target })
}

async function readFolder(walk: Walk, folder: string, section: string[], depth: number): Promise<void> {
  const file = walk.config.folderNavFile
  const navigation = file === null ? undefined : walk.files.get(folder === '' ? file : `${folder}/${file}`)
  const text = navigation === undefined || depth > depthMax ? null : await readText(walk.reading, navigation)
  const links = text === null ? [] : readLinks(splitFrontmatter(text).body)
  // The folder's own page comes first, listed or not.
  for (const index of ['index.md', 'README.md']) {
    const name = folder === '' ? index : `${folder}/${index}`
    if (links.length > 0 && walk.files.has(name)) add(walk, { name, title: null, section })
  }
  for (const { title, target } of links) {
    const name = resolveSourcePath(`${folder}/x`, target.replace(/[?#].*$/, ''))
    if (name === null || /^[a-z]+:/i.test(target)) continue
    if (target.endsWith('/')) await readFolder(walk, name, [...section, title], depth + 1)
    else if (walk.files.has(name)) add(walk, { name, title, section })
  }
  if (links.length === 0) addBelow(walk, folder, section)
}

function readLinks(body: string): { title: string; target: string }[] {
  const isCode = createFenceTracker()
  return body.split('\n').flatMap((line) => {
    const [match, title = '', target = ''] = isCode(line)
      ? []
      : (/^[ \t]*[-*+][ \t]+\[([^\]\n]{1,300})\]\(<?([^()\s<>]{1,500})>?\)/.exec(line) ?? [])
    return match === undefined ? [] : [{ title, target }]
  })
}

function addBelow(walk: Walk, folder: string, section: string[]): void {
  const prefix = folder === '' ? '' : `${folder}/`
  const names = [...walk.files.keys()].filter((name) => name.startsWith(prefix))
  names.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  for (const name of names) {
    const inner = name.slice(prefix.length).split('/').slice(0, -1)
    add(walk, { name, title: null, section: [...section, ...inner.map(titleOfFolder)] })
  }
}

/** Sorts an index before everything else in its folder. */
function sortKey(name: string): string {
  return name.replace(/(^|\/)(?:index|README)\.md$/, '$1\0')
}

function titleOfFolder(name: string): string {
  const words = name.replace(/[-_]+/g, ' ')
  return words === words.toLowerCase() ? capitalize(words) : words
}

function add({ found }: Walk, file: NavigatedFile): void {
  if (!found.has(file.name)) found.set(file.name, file)
}
