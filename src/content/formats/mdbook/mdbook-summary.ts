import { createFenceTracker } from '../../markdown/code-fence.ts'
import { decodeAddress, resolveSourcePath } from '../../trees/source-path.ts'

export interface SummaryChapter {
  /** Path below the folder of the chapters. */
  name: string
  title: string
  section: string[]
}

const link = /^([ \t]*)(?:(?:[-*+]|\d+[.)])[ \t]*)?\[((?:[^\]\\\n]|\\.){1,300})\]\(<?([^()<>\n]{0,500}?)>?\)[ \t]*$/
const part = /^#[ \t]+(.+)$/

/** The chapters of `SUMMARY.md` in order. Parts and the chapters above are their section; drafts have no file. */
export function readSummary(text: string): SummaryChapter[] {
  const chapters = new Map<string, SummaryChapter>()
  const above: { indent: number; title: string }[] = []
  const isCode = createFenceTracker()
  // A heading at the top names the file.
  const lines = text.replace(/^\s*#[ \t].*/, '').split('\n')
  let currentPart = ''
  for (const line of lines) {
    if (isCode(line)) continue
    const named = part.exec(line)?.[1]?.trim()
    if (named !== undefined) {
      above.length = 0
      currentPart = named
    }
    const [match, space = '', written = '', target = ''] = link.exec(line) ?? []
    if (match === undefined) continue
    const indent = space.replaceAll('\t', '    ').length
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop()
    const title = written.replace(/\\(.)|[`*]/g, '$1')
    const name = target === '' ? null : resolveSourcePath('', decodeAddress(target).replace(/^\.?\//, ''))
    const section = [...(currentPart === '' ? [] : [currentPart]), ...above.map((chapter) => chapter.title)]
    if (name !== null && !chapters.has(name)) chapters.set(name, { name, title, section })
    above.push({ indent, title })
  }
  return [...chapters.values()]
}
