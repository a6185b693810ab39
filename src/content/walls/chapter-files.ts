import { visit } from 'unist-util-visit'
import { parseMarkdown } from '../markdown/parse-markdown.ts'
import { decodeAddress, resolveSourcePath } from '../trees/source-path.ts'
import type { CodeItem } from './code-item.ts'

/** What a list of chapters publishes that is not checked as a page: other files, and those outside the repository. */
export function listChapterFiles(path: string, text: string): CodeItem[] {
  const items: CodeItem[] = []
  visit(parseMarkdown(text, 'markdown'), ['link', 'definition'], (node) => {
    if (!('url' in node) || node.url === '') return
    const file = decodeAddress(node.url)
    const isPage = /\.md$/i.test(file) && !file.startsWith('/') && resolveSourcePath(path, file) !== null
    if (!isPage) items.push({ kind: 'include', text: node.url, line: node.position?.start.line ?? null })
  })
  return items
}
