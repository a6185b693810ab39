import type { AgentProgram } from './agent-program.ts'
import { callOne, refuseProgram, textOf } from './find-page.ts'

/** Adds a page with the given Markdown. */
export function* addPage(name: string, title: string | null, body: string): AgentProgram {
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
