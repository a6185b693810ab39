import type { MarkdownNode } from './markdown-node.ts'
import { say } from '../../words/say.ts'

/** Text and language of a code block; `Code` if it names none. */
export function readCode(pre: MarkdownNode | undefined): { code: string; language: string } {
  const code = pre?.children?.find(({ tagName }) => tagName === 'code')
  const names = code?.properties?.['className']
  const named = Array.isArray(names) ? names.map(String).find((name) => name.startsWith('language-')) : undefined
  return { code: readText(code).replace(/\n$/, ''), language: named?.slice('language-'.length) ?? say('Code') }
}

function readText(node: MarkdownNode | undefined): string {
  if (node === undefined) return ''
  return node.type === 'text' ? (node.value ?? '') : (node.children ?? []).map(readText).join('')
}
