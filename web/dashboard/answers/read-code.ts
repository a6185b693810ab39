/** The part of a hast element, as `react-markdown` passes it, that is read here. */
interface CodeNode {
  type?: string
  tagName?: string
  value?: string
  properties?: Readonly<Record<string, unknown>>
  children?: readonly CodeNode[]
}

/** Text and language of a code block; `Code` if it names none. */
export function readCode(pre: CodeNode | undefined): { code: string; language: string } {
  const code = pre?.children?.find(({ tagName }) => tagName === 'code')
  const names = code?.properties?.['className']
  const named = Array.isArray(names) ? names.map(String).find((name) => name.startsWith('language-')) : undefined
  return { code: readText(code).replace(/\n$/, ''), language: named?.slice('language-'.length) ?? 'Code' }
}

function readText(node: CodeNode | undefined): string {
  if (node === undefined) return ''
  return node.type === 'text' ? (node.value ?? '') : (node.children ?? []).map(readText).join('')
}
