import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { z } from 'zod'

/** A passage as the search tool returns it. */
export interface RetrievedPassage {
  /** Root-relative, with its anchor if it has one: the only address that an answer may link. */
  link: string
  path: string
  title: string
  /** From the page's first level down to its own. */
  headings: string[]
  /** Markdown. */
  content: string
  /** 0 to 1; about 0.5 and more means that it matches the words of the query. */
  score: number
  /** Set if this is a page as a whole, not a passage of it. */
  wholePage: { description: string } | null
}

/** Bounds on passages and their characters. Our search returns fewer, but tool results may come from others. */
const passagesMax = 50
const contentCharsMax = 40_000

const passageSchema = z.object({
  path: z.string(),
  content: z.string(),
  metadata: z.object({
    title: z.string().catch(''),
    href: z.string().catch(''),
    headings: z.array(z.string()).catch([]),
    score: z.number().min(0).max(1).catch(0.5),
    description: z.string().catch(''),
    isWholePage: z.boolean().catch(false),
  }),
})

/** Reads the passages from a result of the search tool and skips everything else. */
export function readPassages(output: LanguageModelV4ToolResultPart['output']): RetrievedPassage[] {
  const items = readItems(output)
  return items.slice(0, passagesMax).flatMap((item) => readPassage(item) ?? [])
}

/** Null if it is not a passage as the search tool returns it. */
export function readPassage(item: unknown): RetrievedPassage | null {
  const parsed = passageSchema.safeParse(item)
  if (!parsed.success || !isLocalPath(parsed.data.path)) return null
  const { path, content, metadata } = parsed.data
  const { title, headings, score, description, isWholePage } = metadata
  const wholePage = isWholePage ? { description } : null
  const link = encodeTarget(path + readAnchor(metadata.href))
  const cut = content.slice(0, contentCharsMax)
  return { link, path, title: title || path, headings, content: cut, score, wholePage }
}

function readItems(output: LanguageModelV4ToolResultPart['output']): unknown[] {
  if (output.type === 'json') return Array.isArray(output.value) ? output.value : []
  if (output.type !== 'text') return []
  try {
    const value: unknown = JSON.parse(output.value)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** `//host` and `/\host` are URLs of other sites. */
export function isLocalPath(path: string): boolean {
  return path.startsWith('/') && !/^\/[/\\]/.test(path)
}

function readAnchor(href: string): string {
  const start = href.indexOf('#')
  return start === -1 ? '' : href.slice(start)
}

/** Keeps brackets and spaces in a path from ending the link. */
function encodeTarget(target: string): string {
  return target.replace(/[\s()<>\\[\]"'`]/g, (character) => {
    const code = character.charCodeAt(0)
    return code < 128 ? `%${code.toString(16).toUpperCase().padStart(2, '0')}` : encodeURIComponent(character)
  })
}
