import { createHash } from 'node:crypto'
import type { FileTree } from './file-tree.ts'

/** A tree in memory, for sites given as text and for tests. */
export function createMemoryTree(files: ReadonlyMap<string, string> | Readonly<Record<string, string>>): FileTree {
  const contents: ReadonlyMap<string, string> = files instanceof Map ? files : new Map(Object.entries(files))
  const paths = [...contents.keys()].sort()
  const hash = createHash('sha256')
  for (const path of paths) hash.update(JSON.stringify([path, contents.get(path)]))
  return {
    revision: hash.digest('hex'),
    paths,
    read: (path) => {
      const text = contents.get(path)
      return text === undefined
        ? Promise.reject(new Error(`${path} is not a file of this tree.`))
        : Promise.resolve(new TextEncoder().encode(text))
    },
  }
}
