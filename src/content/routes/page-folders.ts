import type { ConfigValue } from '../site-config/config-value.ts'
import { readConfigFile } from '../site-config/read-config-file.ts'
import type { SourceFiles } from '../trees/read-text.ts'
import { filesBelow } from './site-roots.ts'

/** Pages by the folders that their names lie in. */
export interface PageFolder<Page> {
  /** From the top folder, `''` for that one. */
  path: string
  name: string
  /** By whatever tells the pages of one folder apart. */
  pages: Map<string, Page>
  folders: Map<string, PageFolder<Page>>
  /** What the folder's own file says about its order; undefined where it has none. */
  meta?: ConfigValue
  metaFile?: string
}

export function createPageFolder<Page>(path = ''): PageFolder<Page> {
  return { path, name: path.split('/').at(-1) ?? '', pages: new Map(), folders: new Map() }
}

/** The folder below `top`, made where it is missing. */
export function enterFolder<Page>(top: PageFolder<Page>, segments: readonly string[]): PageFolder<Page> {
  return segments.reduce((folder, name) => {
    const path = folder.path === '' ? name : `${folder.path}/${name}`
    const next = folder.folders.get(name) ?? createPageFolder<Page>(path)
    folder.folders.set(name, next)
    return next
  }, top)
}

export interface FolderMetaOptions {
  /** The folder of the tree that `top` stands for. */
  folder: string
  /** Matches the path of a folder's own file; the first group is the language in its name. */
  file: RegExp
  languages: readonly string[]
  /** The language whose files are read; null on a site with one language. */
  language: string | null
  /** Whether a file that names its language replaces one for all languages. */
  prefersLanguage?: true
}

/** Reads what the folders' own files say, each into its `meta`. */
export async function readFolderMeta<Page>(
  files: SourceFiles,
  top: PageFolder<Page>,
  { folder, file: pattern, languages, language, prefersLanguage }: FolderMetaOptions,
): Promise<void> {
  for (const [name, file] of filesBelow(files.paths, folder)) {
    const [match, suffix] = pattern.exec(name) ?? []
    if (match === undefined) continue
    const segments = name.split('/').slice(0, -1)
    const ofFolder = languages.includes(segments[0] ?? '') ? segments.shift() : undefined
    if ((suffix ?? ofFolder ?? language) !== language) continue
    const target = enterFolder(top, segments)
    const isReplaced = prefersLanguage === true && suffix !== undefined
    if (target.meta !== undefined && !isReplaced) continue
    target.meta = await readConfigFile(files, file)
    target.metaFile = file
  }
}
