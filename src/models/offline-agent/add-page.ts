import type { AgentProgram } from './agent-program.ts'
import { callOne, describeMissing, findPage, type ProgramPart, refuseProgram, textOf } from './find-page.ts'

/** Adds a page with the given Markdown. */
export function* addPage(name: string, title: string | null, body: string): AgentProgram {
  const written = yield* writePage(name, title, body)
  if ('failure' in written) return refuseProgram(written.failure)
  const { file, note } = written
  return { title: `Add ${file}`, summary: `Added ${file} with the given content. ${note}`.trim() }
}

/** Adds a page in the folder of another one, named after its title, and next to that one in the navigation. */
export function* addPageBeside(
  title: string,
  body: string,
  { at, page }: { at: 'after' | 'before'; page: string },
): AgentProgram {
  const other = yield* findPage(page)
  if (other === null) return refuseProgram(describeMissing(page))
  const name = title
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join('-')
  if (name === undefined) return refuseProgram(`No file can be named after the title “${title}”. Give its path.`)
  const written = yield* writePage(other.replace(/[^/]*$/, name), title, body)
  if ('failure' in written) return refuseProgram(written.failure)
  const { file } = written
  const moved = yield* callOne('navigation', { action: 'move', path: file, [at]: other })
  const place = moved.isOk ? `, ${at} ${other} in the navigation` : ''
  return {
    title: `Add ${file}`,
    summary: `Added ${file} with the given content${place}.`,
    ...(!moved.isOk && { notDone: moved.message }),
  }
}

type WrittenPage = { file: string; note: string } | { failure: string }

/** The note says whether and where the page is in the navigation. */
function* writePage(name: string, title: string | null, body: string): ProgramPart<WrittenPage> {
  const path = name.replaceAll(/^\.?\/+|\/+$/g, '')
  const found = yield* callOne('read', { path, to: 1 })
  if (found.isOk) return { failure: `There is a page ${textOf(found.output, 'path') || path} already.` }
  const written = yield* callOne('write', { path, content: withFrontmatter(path, title, body), listed: true })
  if (!written.isOk) return { failure: written.message }
  return { file: textOf(written.output, 'path') || path, note: textOf(written.output, 'note') }
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
