import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { RepositoryTree } from '../../drift/drift-state.ts'
import { classifyFile } from '../../drift/file-kind.ts'
import { fileCharsMax } from '../../drift/read-file-facts.ts'
import type { OpenTree } from '../sources/open-source-tree.ts'

/** The pages of a site's source, with paths relative to the site's folder. */
export async function readPageTree({ tree, folder }: Pick<OpenTree, 'tree' | 'folder'>): Promise<RepositoryTree> {
  const paths = new Map<string, string>()
  const files: { path: string; id: string }[] = []
  const read = async (path: string) => Buffer.from(await tree.read(path)).toString('utf8')
  for (const path of tree.paths) {
    if (classifyFile(path) !== 'page') continue
    const known = tree.idOf?.(path) ?? null
    const id =
      known ??
      createHash('sha256')
        .update(`${path}\n`)
        .update(await read(path))
        .digest('hex')
    paths.set(id, path)
    files.push({ path: posix.relative(folder, path), id })
  }
  return {
    revision: tree.revision,
    files,
    read: async (id) => {
      const path = paths.get(id)
      const text = path === undefined ? null : await read(path)
      return text === null || text.length > fileCharsMax ? null : text
    },
  }
}
