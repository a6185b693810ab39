import { FindingList } from '../finding-list.ts'
import { readFrontmatterFields, splitFrontmatter } from '../markdown/read-frontmatter.ts'
import { cleanText } from '../trees/clean-text.ts'
import type { FileTree } from '../trees/file-tree.ts'
import { deriveTitle } from '../trees/source-path.ts'

/** The title of a page: of its frontmatter, else its first heading, else by its file's name. */
export async function readPageTitle(tree: FileTree, file: string): Promise<string> {
  const { yaml, body } = splitFrontmatter(cleanText(new TextDecoder().decode(await tree.read(file))))
  const title = yaml === null ? undefined : readFrontmatterFields(yaml, file, new FindingList())['title']
  if (typeof title === 'string' && title.trim() !== '') return title.trim()
  const heading = /^#[ \t]+(\S[^\n]{0,300})$/m.exec(body)?.[1]?.replace(/\s*\{[^{}]*\}\s*$|[`*]/g, '')
  return heading?.trim() || deriveTitle(file)
}
