import { flattenPage } from '../flatten/flatten-page.ts'
import { substituteVariables } from '../flatten/prepare-mdx.ts'
import {
  type Frontmatter,
  readFrontmatterFields,
  splitFrontmatter,
  toFrontmatter,
} from '../markdown/read-frontmatter.ts'
import { writeHeadingIds } from '../markdown/heading-anchors.ts'
import { type LoadedFile, makeAnew, type PageHooks, type SourceLibrary } from '../flatten/source-library.ts'
import { cleanText } from '../trees/clean-text.ts'
import { readStoredText, type SourceFiles } from '../trees/read-text.ts'

/** A page's file with parsed frontmatter and raw body. */
export interface PageFile extends LoadedFile {
  file: string
  /** As it is stored. */
  text: string
}

/**
 * @param variables Replace `{{name}}` in the titles of MDX pages.
 * @returns Null, with a finding, if the file cannot be read.
 */
export async function loadPageFile(
  files: SourceFiles & { hooks: PageHooks },
  file: string,
  variables: SourceLibrary['variables'] = new Map(),
): Promise<PageFile | null> {
  const load = (watched: SourceFiles) => readPageFile(watched, file)
  const loaded = await (files.hooks.aroundLoad?.(files, file, load) ?? load(files))
  if (loaded === null) return null
  const text = loaded.head + (loaded.storedBody ?? loaded.body)
  return { ...loaded, file, text, frontmatter: fillIn(loaded.frontmatter, file, variables) }
}

async function readPageFile(files: SourceFiles, file: string): Promise<LoadedFile | null> {
  const text = await readStoredText(files, file)
  if (text === null) return null
  const { yaml, body, bodyLine } = splitFrontmatter(cleanText(text))
  const { findings } = files
  const fields = yaml === null ? {} : readFrontmatterFields(yaml, file, findings)
  const frontmatter = yaml === null ? {} : toFrontmatter(fields, { yaml, file, findings })
  const storedBody = text.split('\n').slice(bodyLine).join('\n')
  const head = text.slice(0, text.length - storedBody.length)
  return { frontmatter, fields, body, bodyLine, head, ...(storedBody === body ? {} : { storedBody }) }
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

/** Flattens a page, writes the ids of its headings, and drops a leading heading that repeats the title. */
export async function readPageMarkdown(
  library: SourceLibrary,
  page: PageFile,
  path: string,
  title: string | undefined,
): Promise<{ markdown: string; heading: string | null }> {
  const source = { file: page.file, path, body: page.body, bodyLine: page.bodyLine, text: page.text }
  const markdown = rememberHeadingIds(library, await flattenPage(library, source))
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

/** Most pages have only the ids that need not be written, so that there is nothing to keep. */
function rememberHeadingIds({ hooks, dialect }: SourceLibrary, flat: string): string {
  const { remember = makeAnew } = hooks
  const changed = remember(`heading-ids ${dialect.anchorStyle}`, [flat], () => {
    const written = writeHeadingIds(flat, dialect.anchorStyle)
    return written === flat ? null : written
  })
  return changed ?? flat
}
