import { aroundLoad, type LoadedFile } from './around-load.ts'
import { flattenPage } from '../flatten/flatten-page.ts'
import { substituteVariables } from '../flatten/prepare-mdx.ts'
import type { Frontmatter } from '../markdown/read-frontmatter.ts'
import { readFrontmatterFields, splitFrontmatter, toFrontmatter } from '../markdown/read-frontmatter.ts'
import type { SourceLibrary } from '../flatten/source-library.ts'
import { readText } from '../trees/read-text.ts'

/** A page's file, its frontmatter read and its body not yet. */
export interface PageFile extends LoadedFile {
  file: string
}

/** Null, with a finding, when the file cannot be read. */
export async function loadPageFile(library: SourceLibrary, file: string): Promise<PageFile | null> {
  const around = aroundLoad.getStore()
  const load = (watched: SourceLibrary) => readPageFile(watched, file)
  const loaded = around === undefined ? await load(library) : await around(library, file, load)
  if (loaded === null) return null
  return { ...loaded, file, frontmatter: fillIn(loaded.frontmatter, file, library.variables) }
}

async function readPageFile(library: SourceLibrary, file: string): Promise<LoadedFile | null> {
  const text = await readText(library, file)
  if (text === null) return null
  const { yaml, body, bodyLine } = splitFrontmatter(text)
  const { findings } = library
  const fields = yaml === null ? {} : readFrontmatterFields(yaml, file, findings)
  const frontmatter = yaml === null ? {} : toFrontmatter(fields, { yaml, file, findings })
  return { frontmatter, fields, body, bodyLine }
}

function fillIn(frontmatter: Frontmatter, file: string, variables: SourceLibrary['variables']): Frontmatter {
  if (!file.endsWith('.mdx')) return frontmatter
  const filled = { ...frontmatter }
  for (const key of ['title', 'description', 'sidebarTitle'] as const) {
    const value = filled[key]
    if (value !== undefined) filled[key] = substituteVariables(value, variables)
  }
  return filled
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
