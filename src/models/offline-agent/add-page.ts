import type { AgentProgram } from './agent-program.ts'
import { callOne, refuseProgram, textOf } from './find-page.ts'
import { instructionPattern, type InstructionWords, onePage, quotedWord, valueOf } from './instruction-words.ts'

const titled = `(?:,? (?:titled|called|named|with (?:the )?title) (?<title>${quotedWord}))?`
const content =
  '(?:,? (?:with|containing|that (?:says|contains|reads)|and write)(?: the| this)?(?: following)?(?: content| text| markdown| mdx)?)?:? (?<body>⟦\\d+⟧)'

const patterns = [
  instructionPattern(
    `(?:add|create|write|make) (?:a )?(?:new )?page (?:at |under |called |named )?(?<page>${onePage})${titled}${content}`,
  ),
  instructionPattern(
    `(?:add|create|write|make) (?:a )?(?:new )?page (?<title>${quotedWord}) (?:at|as|under|in) (?<page>${onePage})${content}`,
  ),
]

/** `Add a page guides/faq titled "FAQ" with this content:` and a block of Markdown. */
export function readAddPage(words: InstructionWords): AgentProgram | null {
  for (const pattern of patterns) {
    const groups = pattern.exec(words.text)?.groups
    if (groups === undefined) continue
    const { page = '', title, body = '' } = groups
    return addPage(valueOf(words, page), title === undefined ? null : valueOf(words, title), valueOf(words, body))
  }
  return null
}

function* addPage(name: string, title: string | null, body: string): AgentProgram {
  const path = name.replaceAll(/^\.?\/+|\/+$/g, '')
  const found = yield* callOne('read', { path, to: 1 })
  if (found.isOk) return refuseProgram(`There is a page ${textOf(found.output, 'path') || path} already.`)
  const written = yield* callOne('write', { path, content: withFrontmatter(path, title, body), listed: true })
  if (!written.isOk) return refuseProgram(written.message)
  const file = textOf(written.output, 'path') || path
  // It says whether and where the page is in the navigation.
  const place = textOf(written.output, 'note')
  return { title: `Add ${file}`, summary: `Added ${file} with the given content. ${place}`.trim() }
}

function withFrontmatter(name: string, title: string | null, body: string): string {
  const text = `${body.trimEnd()}\n`
  if (/^---\s*\n/.test(text)) return text
  const heading = /^#[ \t]+(\S.*)$/m.exec(text)?.[1]?.trim()
  const last =
    name
      .replace(/\.mdx?$/i, '')
      .split('/')
      .at(-1) ?? name
  const chosen = title ?? heading ?? last.replaceAll(/[-_]+/g, ' ').replace(/^./, (letter) => letter.toUpperCase())
  return `---\ntitle: ${JSON.stringify(chosen)}\n---\n\n${text}`
}
