import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { countOf } from '../../contract/count-of.ts'
import type { AgentFileList } from '../../contract/operations/sites.ts'
import { withClient } from '../connect.ts'
import type { Output } from '../output.ts'

/** `docent export agents`: writes the files that programs look for, to copy to where the site is served. */
export async function exportAgentFiles(output: Output, slug: string, folder: string): Promise<void> {
  const written = await withClient(async (client) => {
    const paths = new Set<string>()
    let cursor: string | null = null
    do {
      const list: AgentFileList = await client.listAgentFiles({
        params: { id: slug },
        query: cursor === null ? {} : { cursor },
      })
      for (const file of list.items) {
        await writeAgentFile(folder, file)
        paths.add(file.path)
      }
      cursor = list.nextCursor
    } while (cursor !== null)
    return paths.size
  })
  output.result(
    { folder, files: written },
    () => `${countOf(written, 'file')} written to ${folder}. Copy them to the root of the site.`,
  )
}

/** @throws {Error} for a path outside the folder: names of pages come from their site. */
export async function writeAgentFile(folder: string, { path, content, continues }: AgentFileList['items'][number]) {
  const root = resolve(folder)
  const file = resolve(root, path)
  if (!file.startsWith(root + sep) || path.includes('\0')) {
    throw new Error(`The site has a page whose address leads out of the folder: ${path.slice(0, 200)}. Rename it.`)
  }
  await mkdir(dirname(file), { recursive: true })
  if (continues) return appendFile(file, content)
  // Do not follow a symbolic link at that path.
  await rm(file, { force: true })
  return writeFile(file, content)
}
