import type { ConfigValue } from '../site-config/config-value.ts'
import { readConfigFile } from '../site-config/read-config-file.ts'
import type { SourceFiles } from '../trees/read-text.ts'
import { filesBelow } from './site-roots.ts'

/** Pages grouped by folder. */
export interface PageFolder<Page> {
  /** Relative to the top folder; `''` for the top folder itself. */
  path: string
  name: string
  /** By a key that is unique within the folder. */
  pages: Map<string, Page>
  folders: Map<string, PageFolder<Page>>
  /** Content of the folder's own file, which orders its pages; undefined if it has none. */
  meta?: ConfigValue
  metaFile?: string
}

export function createPageFolder<Page>(path = ''): PageFolder<Page> {
  return { path, name: path.split('/').at(-1) ?? '', pages: new Map(), folders: new Map() }
}

/** Returns the folder below `top`, creating missing ones. */
export function getOrCreateFolder<Page>(top: PageFolder<Page>, segments: readonly string[]): PageFolder<Page> {
  return segments.reduce((folder, name) => {
    const path = folder.path === '' ? name : `${folder.path}/${name}`
    const next = folder.folders.get(name) ?? createPageFolder<Page>(path)
    folder.folders.set(name, next)
    return next
  }, top)
}

export interface FolderMetaOptions {
  /** The folder of the tree that corresponds to `top`. */
  folder: string
  /** Matches the path of a folder's own file; the first group is the language in its name. */
  file: RegExp
  languages: readonly string[]
  /** The language whose files are read; null on a site with one language. */
  language: string | null
  /** Whether a file for this language replaces one for all languages. */
  prefersLanguage?: true
}

/** Reads the folders' own files into their `meta`. */
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
    const target = getOrCreateFolder(top, segments)
    const isReplaced = prefersLanguage === true && suffix !== undefined
    if (target.meta !== undefined && !isReplaced) continue
    target.meta = await readConfigFile(files, file)
    target.metaFile = file
  }
}
