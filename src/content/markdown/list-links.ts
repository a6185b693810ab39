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

const codeOrRootLink = new RegExp(`${inlineCode.source}|${rootLink.source}`, 'g')

/** Rewrites the links that `listRootLinks` lists. */
export function mapRootLinks(markdown: string, map: (url: string) => string): string {
  if (!markdown.includes('](/')) return markdown
  const isCode = createFenceTracker()
  const mapLine = (line: string) =>
    line.replace(codeOrRootLink, (written, _marks, url?: string) => (url === undefined ? written : `](${map(url)})`))
  return markdown
    .split('\n')
    .map((line) => (isCode(line) || !line.includes('](/') ? line : mapLine(line)))
    .join('\n')
}
