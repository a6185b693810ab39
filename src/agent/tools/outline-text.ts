import { createFenceTracker } from '../../content/markdown/code-fence.ts'

/** A heading of a page. */
export interface OutlineHeading {
  /** From 1. */
  line: number
  level: number
  text: string
}

const headingsMax = 300

/** The headings of Markdown in order, without those in fenced code and frontmatter. */
export function outlineText(text: string): OutlineHeading[] {
  const isCode = createFenceTracker()
  const lines = text.split(/\r?\n/)
  const bodyLine = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0
  const headings = lines.flatMap((line, index): OutlineHeading[] => {
    if (index < bodyLine || isCode(line)) return []
    const [, marks = '', title = ''] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line.slice(0, 1_000)) ?? []
    return marks === '' ? [] : [{ line: index + 1, level: marks.length, text: title.trim().replace(/\s#+$/, '') }]
  })
  return headings.slice(0, headingsMax)
}
