import { flattenPage } from './flatten-page.ts'
import { substituteVariables } from './prepare-mdx.ts'
import type { Frontmatter } from './read-frontmatter.ts'
import { readFrontmatterFields, splitFrontmatter, toFrontmatter } from './read-frontmatter.ts'
import type { SourceLibrary } from './source-library.ts'
import { readText } from './source-library.ts'

/** A page's file, its frontmatter read and its body not yet. */
export interface PageFile {
  file: string
  frontmatter: Frontmatter
  /** Everything that the frontmatter says, for what only some formats know. */
  fields: Readonly<Record<string, unknown>>
  body: string
  bodyLine: number
}

/** Null, with a finding, when the file cannot be read. */
export async function loadPageFile(library: SourceLibrary, file: string): Promise<PageFile | null> {
  const text = await readText(library, file)
  if (text === null) return null
  const { yaml, body, bodyLine } = splitFrontmatter(text)
  const { findings } = library
  const fields = yaml === null ? {} : readFrontmatterFields(yaml, file, findings)
  const frontmatter = yaml === null ? {} : toFrontmatter(fields, { yaml, file, findings })
  for (const key of ['title', 'description', 'sidebarTitle'] as const) {
    const value = frontmatter[key]
    if (value !== undefined && file.endsWith('.mdx')) frontmatter[key] = substituteVariables(value, library.variables)
  }
  return { file, frontmatter, fields, body, bodyLine }
}

/** The readable Markdown of a page; a heading at its top that only repeats the title is left out. */
export async function readPageMarkdown(
  library: SourceLibrary,
  page: PageFile,
  path: string,
  title: string | undefined,
): Promise<{ markdown: string; heading: string | null }> {
  const markdown = await flattenPage(library, { file: page.file, path, body: page.body, bodyLine: page.bodyLine })
  const [match, words = ''] = /^# ([^\n]*)(?:\n+|$)/.exec(markdown) ?? []
  if (match === undefined) return { markdown, heading: null }
  const heading = words
    .replace(/\s*\{#[^{}]*\}$/, '')
    .replace(/[`*]/g, '')
    .trim()
  return title === undefined || title === heading
    ? { markdown: markdown.slice(match.length), heading }
    : { markdown, heading }
}
