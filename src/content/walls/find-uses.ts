import { extname } from 'node:path/posix'
import type { SiteOutline } from '../checks/site-outline.ts'
import { createFenceTracker } from '../markdown/code-fence.ts'
import type { FileTree } from '../trees/file-tree.ts'
import { decodeAddress, isPageFile, pagePathOf, resolveSourcePath } from '../trees/source-path.ts'

/** A place that names a file. */
export interface FileUse {
  target: string
  file: string
  /** From 1. */
  line: number
}

export interface UsesInput {
  /** The site while it still had the files. */
  outline: SiteOutline
  after: FileTree
  removed: readonly string[]
}

const readable = /\.(?:mdx?|jsonc?|ya?ml|toml|[cm]?[jt]sx?|vue|svelte|astro|html?|css)$/i
const fileBytesMax = 1024 * 1024

/** What pages name other files by: links, definitions, attributes, imports, fields and includes. */
const inPage = /(?:\]\(<?|\]:[ \t]{0,5}<?|["'=>]|:[ \t]{1,5}|<<<[ \t]{0,5}|\{![ \t]{0,5})([^\s"'`<>()[\]{}|]{1,400})/g
/** Texts of data and code, except the addresses that redirects lead away from: by their names, or keys of an address. */
const inData =
  /(?:"(?:source|from)"[ \t]{0,5}:[ \t]{0,5}"[^"\n]*")|(?:["'`][^"'`\s]{1,400}["'`][ \t]{0,5}:[ \t]{0,5}(?=["'`]?(?:\/|https?:|[\w./-]{1,400}\.md)))|["'`]([^"'`\s]{1,400})["'`]|(?:^|[ \t])(?:-|[\w-]+:)[ \t]+([^\s'"#]{1,400})/gm

/** Finds the places of a tree that name removed files by path or address. Reads every text; linear time. */
export async function findUses({ outline, after, removed }: UsesInput, signal: AbortSignal): Promise<FileUse[]> {
  const targets = new Map(removed.flatMap((path) => listNames(outline, path).map((name) => [name, path] as const)))
  const stems = [...targets.keys()].map((name) => name.split('/').at(-1) ?? '')
  const uses: FileUse[] = []
  for (const file of after.paths) {
    signal.throwIfAborted()
    if (!readable.test(file)) continue
    const bytes = await after.read(file)
    if (bytes.length > fileBytesMax) continue
    const text = new TextDecoder().decode(bytes)
    if (stems.some((stem) => text.includes(stem))) uses.push(...listUses(file, text, targets))
  }
  return uses
}

/** A file's path and address, each as others may write it. */
function listNames({ routes, tree }: SiteOutline, path: string): string[] {
  const addresses = [...routes].flatMap(([address, file]) => (file === path ? [address] : []))
  const bare = isPageFile(path) ? [pagePathOf(path), path.slice(0, -extname(path).length)] : []
  // Sites serve these folders at their root.
  const served = path.replace(/^(?:.*\/)?(?:static|public|assets)\//, '')
  const isTaken = served !== path && tree.paths.includes(served)
  const names = [path, ...bare, ...addresses, ...(isTaken ? [] : [served])]
  return [...new Set(names.map((name) => name.replace(/^\/+|\/+$/g, '')).filter((name) => name !== ''))]
}

function listUses(file: string, text: string, targets: ReadonlyMap<string, string>): FileUse[] {
  const isPage = isPageFile(file)
  const isCode = isPage ? createFenceTracker() : () => false
  return text.split('\n').flatMap((line, index) => {
    if (isCode(line)) return []
    const named = [...line.matchAll(isPage ? inPage : inData)].flatMap(([whole, first, second]) =>
      findTarget({ file, written: first ?? second ?? '', isLink: whole.startsWith(']') || !isPage }, targets),
    )
    return [...new Set(named)].map((target) => ({ target, file, line: index + 1 }))
  })
}

interface WrittenName {
  file: string
  written: string
  /** Whether a bare word is a name of a file here, and not just a text. */
  isLink: boolean
}

function findTarget({ file, written, isLink }: WrittenName, targets: ReadonlyMap<string, string>): string[] {
  const name = decodeAddress(written.replace(/[?#].*$/, '').replace(/^@site\/|^[@~]\//, '/'))
  if (name === '' || (!isLink && !/[./]/.test(name))) return []
  const forms = [resolveSourcePath(file, name), resolveSourcePath('', name.replace(/^(?:\.{1,2}\/)+/, ''))]
  const found = forms.map((form) => {
    const path = form?.replace(/\/$/, '') ?? ''
    return targets.get(path) ?? targets.get(path.replace(/\.(?:mdx?|html)$/i, ''))
  })
  const target = found.find((each) => each !== undefined)
  return target === undefined || target === file ? [] : [target]
}
