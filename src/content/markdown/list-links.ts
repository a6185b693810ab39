import { createFenceTracker } from './code-fence.ts'

const inlineCode = /(`{1,8})(?!`)[^\n]{1,500}?(?<!`)\1(?!`)/g
const rootLink = /\]\((\/(?!\/)[^()\s<>]{0,2000})\)/g

/** Lists the root-relative links of flattened Markdown, as `/guides/x#y`, without those in code. Linear time. */
export function listRootLinks(markdown: string): string[] {
  if (!markdown.includes('](/')) return []
  const isCode = createFenceTracker()
  return markdown.split('\n').flatMap((line) => {
    if (isCode(line) || !line.includes('](/')) return []
    return [...line.replace(inlineCode, '').matchAll(rootLink)].map(([, url = '']) => url)
  })
}
