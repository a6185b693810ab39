/** As much of an element as is looked at: `react-markdown` hands over trees of hast. */
interface CodeNode {
  type?: string
  tagName?: string
  value?: string
  properties?: Readonly<Record<string, unknown>>
  children?: readonly CodeNode[]
}

/** The text of a block of code and what it says it is, which is `Code` where it says nothing. */
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
