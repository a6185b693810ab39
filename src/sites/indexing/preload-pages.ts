import type { FileTree } from '../../content/trees/file-tree.ts'

/** What is held at most, so that a large site does not fill the memory before it is read. */
const bytesMax = 64 * 1024 * 1024

const readsAtOnce = 32

/**
 * A tree whose page files are read ahead, many at once: one after the other, as a site is read, waiting for the disk
 * takes longer than all the rest of a run that finds most pages known.
 *
 * @param isNeeded Whether a file will be read at all.
 * @returns The same tree; a file that was read ahead is held until the tree is let go.
 */
export async function preloadPages(tree: FileTree, isNeeded: (path: string) => boolean): Promise<FileTree> {
  const held = new Map<string, Uint8Array>()
  let bytes = 0
  const next = tree.paths.filter((path) => /\.mdx?$/i.test(path) && isNeeded(path)).values()
  const work = async () => {
    for (const path of next) {
      if (bytes > bytesMax) return
      // Whoever reads the file is told why it cannot be read.
      const content = await tree.read(path).catch(() => null)
      if (content === null) continue
      bytes += content.byteLength
      held.set(path, content)
    }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, work))
  return {
    ...tree,
    read: (path) => {
      const content = held.get(path)
      return content === undefined ? tree.read(path) : Promise.resolve(content)
    },
  }
}
