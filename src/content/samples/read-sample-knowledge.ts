import { FindingList } from '../finding-list.ts'
import { listOperations, parseOpenApi } from '../openapi/openapi-document.ts'
import { isRecord } from '../site-config/parse-tolerantly.ts'
import type { SitePage } from '../site-page.ts'
import type { FileTree } from '../trees/file-tree.ts'
import type { SampleKnowledge } from './check-samples.ts'
import type { SchemaSource } from './schema-fault.ts'

const filesMax = 30
const bytesMax = 4 * 1024 * 1024
const apiFile = /(?:openapi|swagger)[^/]*\.(?:json|ya?ml)$/i
const schemaFile = /schema[^/]*\.json$/i

/** Reads the API descriptions and JSON Schemas of a site's source. */
export async function readSampleKnowledge(tree: FileTree, pages: readonly SitePage[]): Promise<SampleKnowledge> {
  const shown = pages.flatMap((page) => page.apiFile ?? [])
  const apiFiles = new Set([...shown, ...tree.paths.filter((path) => apiFile.test(path))])
  const documents = await readAll(tree, [...apiFiles], (text, file) =>
    [parseOpenApi(text, file, new FindingList()) ?? []].flat(),
  )
  const schemas = await readAll(
    tree,
    tree.paths.filter((path) => schemaFile.test(path)),
    readSchema,
  )
  return { operations: documents.flatMap(listOperations), schemas: new Map(schemas) }
}

async function readAll<Item>(
  tree: FileTree,
  files: readonly string[],
  read: (text: string, file: string) => readonly Item[],
): Promise<Item[]> {
  const known = new Set(tree.paths)
  const found: Item[] = []
  for (const file of files.filter((path) => known.has(path)).slice(0, filesMax)) {
    const bytes = await tree.read(file).catch(() => null)
    if (bytes !== null && bytes.length <= bytesMax) found.push(...read(new TextDecoder().decode(bytes), file))
  }
  return found
}

/** By the name of the file, and by that in its `$id`. */
function readSchema(text: string, file: string): readonly (readonly [string, SchemaSource])[] {
  try {
    const root: unknown = JSON.parse(text)
    if (!isRecord(root) || (!isRecord(root['properties']) && typeof root['$ref'] !== 'string')) return []
    const source = { document: { file, root }, schema: root }
    const names = [file, typeof root['$id'] === 'string' ? root['$id'] : file].map(
      (name) => name.split('/').at(-1) ?? '',
    )
    return names.map((name) => [name, source] as const)
  } catch {
    // Not every file of that name is a schema.
    return []
  }
}
