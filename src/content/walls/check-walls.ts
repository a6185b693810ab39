import { extname } from 'node:path/posix'
import { findAddedSecrets } from '../checks/added-secrets.ts'
import { findInvisible } from '../checks/check-text.ts'
import type { ChangedFile } from '../checks/changed-files.ts'
import { listAdded } from '../checks/list-added.ts'
import { type Fault, findAddedFaults, makeFault, type Problem } from '../checks/problem.ts'
import { executedPathReason, protectedPathReason } from './protected-paths.ts'
import type { NavigationRule } from '../formats/write-rules.ts'
import { listGroups } from '../navigation/find-entries.ts'
import type { SiteOutline } from '../checks/site-outline.ts'
import { MarkdownSyntaxError } from '../markdown/markdown-syntax-error.ts'
import { substituteVariables } from '../flatten/prepare-mdx.ts'
import { matchGlobs } from '../trees/match-globs.ts'
import { isPageFile } from '../trees/source-path.ts'
import type { CodeItem } from './code-item.ts'
import { findAddedTag, findConfigChange } from './config-change.ts'
import { findEntryChange, readNavigation } from './entry-change.ts'
import { chooseCode, createKnownCode, type KnownCode } from './known-code.ts'
import { listChapterFiles } from './chapter-files.ts'
import { listFormulaCode } from './formula-code.ts'
import { listPageCode } from './page-code.ts'
import { isSlowConfig, SlowMarkupError } from './slow-markup.ts'
import { listSvgCode } from './svg-code.ts'
import type { ChangeRule } from '../finding-rules.ts'

export interface WallsInput {
  /** The site before the change. */
  outline: SiteOutline
  files: readonly ChangedFile[]
  /** New path → old path of moved files. */
  renamed: ReadonlyMap<string, string>
  /** The owner's patterns, in `.gitignore` syntax, of files that may contain code. */
  allowed: readonly string[]
  /** See `findAddedSecrets`. */
  allowedSecrets?: readonly string[] | undefined
  /** Whether literal entries of the navigation may change in files that are code; true by default. */
  mayChangeEntries?: boolean
}

const picture = /\.(?:png|jpe?g|gif|webp|avif|ico|mp4|webm)$/i
/** Configuration as code, which may contain the navigation. */
const entryFile = /\.[mc]?[jt]s$/i
const table = /\.(?:csv|tsv)$/i

/**
 * Finds what a change of documentation must not do: touch protected files, bring code into pages, images or
 * configuration, or contain secrets. Judged by the difference, so existing code may stay and move.
 *
 * Problems of these rules refuse an edit and a push; nobody can overrule them except an owner by path, and not for
 * protected files and secrets.
 */
export async function checkWalls(input: WallsInput, signal: AbortSignal): Promise<Problem[]> {
  const { outline, files, renamed } = input
  const isAllowed = matchGlobs(input.allowed)
  const known = createKnownCode(outline)
  const texts = new Map(files.map(({ path, before }) => [path, before]))
  const faults: Fault[] = []
  for (const file of files) {
    signal.throwIfAborted()
    const closed = protectedPathReason(file.path)
    if (closed !== null) faults.push(refuseProtected(file.path, closed))
    else if (!isAllowed(file.path)) {
      const origin = renamed.get(file.path)
      // What was text elsewhere may be code here, so only files of one kind lend their past to each other.
      const isSameKind = origin !== undefined && extname(origin) === extname(file.path)
      const before = file.before ?? (isSameKind ? texts.get(origin) : null) ?? null
      const entries = input.mayChangeEntries !== false
      faults.push(...(await checkFile(outline, { ...file, before }, { known, entries })))
    }
  }
  const secrets = await findAddedSecrets({ before: outline.tree, files, allowedSecrets: input.allowedSecrets }, signal)
  const refused = secrets.filter(({ severity }) => severity === 'block')
  return findAddedFaults({ before: [], after: [...refused, ...faults], renamed })
}

async function checkFile(
  outline: SiteOutline,
  file: ChangedFile,
  { known, entries }: { known: KnownCode; entries: boolean },
): Promise<Fault[]> {
  const { path, before, after, isDeleted } = file
  const { writes } = outline.format
  if (entries && entryFile.test(path) && (await findEntryChange(outline, file)) === null) return []
  if (/(?:^|\/)\.[^/]*\//.test(path)) return [refusePath(path, 'in a hidden folder, where tools keep settings')]
  const isPicture = picture.test(path)
  // Bytes that cannot be read as text cannot be checked, and tools differ in how they read them.
  if (after === null && !isDeleted && !isPicture) return [refusePath(path, 'not UTF-8 text')]
  if (isPageFile(path)) return checkPage(outline, file, known)
  const navigation = writes.navigation?.find((rule) => rule.file.test(path)) ?? (await findReferred(outline, file))
  if (navigation !== undefined) {
    if (after === null) return [refusePath(path, 'the navigation of the site')]
    if (isSlowConfig(path, after) && !isSlowConfig(path, before ?? '')) {
      return [refuse('config-changed', { path, line: null }, `${path} has too many keys and signs to be checked.`)]
    }
    const change = findConfigChange(path, { before, after, keys: navigation.keys })
    const isEntry = change !== null && /\.ya?ml$/i.test(path) && (await findEntryChange(outline, file)) === null
    const touched = isEntry ? findAddedTag(path, before, after) : change
    return touched === null ? [] : [refuse('config-changed', { path, line: null }, `The change touches ${touched}.`)]
  }
  if (/\.svg$/i.test(path)) return after === null ? [] : checkImage(path, before, after)
  if (isPicture) return after === null || isDeleted ? [] : [refuseImage(path)]
  if (table.test(path)) return []
  return [refusePath(path, executedPathReason(path) ?? 'neither a page nor an image nor navigation')]
}

/** The rule of a file that the navigation refers to, as `docs.json` does by `$ref`. */
async function findReferred(outline: SiteOutline, { path, before }: ChangedFile): Promise<NavigationRule | undefined> {
  // An earlier change may have referred to a file that decides what is run.
  if (before === null || !/\.json$/i.test(path) || executedPathReason(path) !== null) return undefined
  const navigation = await readNavigation(outline, outline.tree)
  if (navigation === null) return undefined
  const { groups, redirects } = navigation
  const files = listGroups(groups).map(({ container }) => container.file)
  const isNamed = files.includes(path) || (typeof redirects === 'object' && redirects.container.file === path)
  return isNamed ? { file: /$/ } : undefined
}

async function checkPage(
  outline: SiteOutline,
  { path, before, after }: ChangedFile,
  known: KnownCode,
): Promise<Fault[]> {
  if (after === null) return []
  const { pages } = outline.format.writes
  if (before === null && !pages.test(path)) {
    const reason = `This site is built from ${describePages(pages)}, and nothing would show ${path}.`
    return [refuse('path-not-allowed', { path, line: null }, reason, 'Write a page with that extension.')]
  }
  try {
    const page = { outline, path, isMathematical: await known.usesFormulas() }
    const { old, isSlow } = before === null ? { old: [], isSlow: false } : listOldCode(page, before)
    const items = [...listCode(page, after, isSlow), ...listCharacters(after)]
    return await refuseUnknown(path, { items, old }, known)
  } catch (error) {
    if (!(error instanceof MarkdownSyntaxError)) throw error
    return [
      refuse('code-added', { path, line: error.line }, `The page cannot be parsed: ${error.message}`, 'Correct it.'),
    ]
  }
}

interface BothSides {
  items: readonly CodeItem[]
  old: readonly CodeItem[]
}

async function refuseUnknown(path: string, { items, old }: BothSides, known: KnownCode): Promise<Fault[]> {
  const imported = new Set(items.flatMap(({ names = [] }) => names))
  const faults: Fault[] = []
  for (const item of listAdded(old.map(keyOf), items, keyOf)) {
    // In MDX, an import does not change what `<script>` means.
    const isImported = /^[A-Z]/.test(item.text) && imported.has(item.text.split('.')[0] ?? '')
    if (!isImported && !(await known.has(path, item))) faults.push(refuseCode(path, item))
  }
  return faults
}

/** Indentation may change, except where it is part of the code; line breaks may not, because they end comments. */
function keyOf({ kind, text }: CodeItem): string {
  return `${kind}\n${kind === 'fence' ? text : text.replace(/[^\S\n]+/g, ' ').replace(/ ?\n ?/g, '\n')}`
}

/** What could not be parsed before has nothing to keep. A page that was slow to parse may stay so. */
function listOldCode(page: PagePlace, text: string, mayBeSlow = false): { old: CodeItem[]; isSlow: boolean } {
  try {
    return { old: [...listCode(page, text, mayBeSlow), ...listCharacters(text)], isSlow: mayBeSlow }
  } catch (error) {
    if (error instanceof SlowMarkupError) return listOldCode(page, text, true)
    if (error instanceof MarkdownSyntaxError) return { old: listCharacters(text), isSlow: mayBeSlow }
    throw error
  }
}

/** Readers do not see them, and they hide words from reviewers. */
function listCharacters(text: string): CodeItem[] {
  return text.split('\n').flatMap((line, index) =>
    findInvisible(index === 0 ? line.replace(/^\uFEFF/, '') : line).map((found) => ({
      kind: 'character' as const,
      text: found,
      line: index + 1,
    })),
  )
}

interface PagePlace {
  outline: SiteOutline
  path: string
  isMathematical: boolean
}

/**
 * Reads the page as written, because what a format rewrites first could hide code. Only its formulas, whose braces MDX
 * takes for code, and pages that are otherwise not MDX at all are read as the format prepares them.
 */
function listCode({ outline, path, isMathematical }: PagePlace, text: string, mayBeSlow: boolean): CodeItem[] {
  const { dialect, variables } = outline.library
  const code = chooseCode(outline, path)
  const written = substituteVariables(text.replace(/\r\n?/g, '\n'), variables)
  const list = (page: string) => listPageCode(page, code, { mayBeSlow })
  if (outline.format.writes.chapters?.test(path) === true) return [...list(written), ...listChapterFiles(path, written)]
  if (code !== 'mdx') return list(written)
  const listPrepared = () => {
    const prepared = dialect.prepare(written, { syntax: 'mdx', variables })
    return [...list(prepared), ...listFormulaCode(written), ...listHiddenCode(written, prepared)]
  }
  if (isMathematical) return listPrepared()
  try {
    return list(written)
  } catch (error) {
    if (error instanceof MarkdownSyntaxError) return listPrepared()
    throw error
  }
}

/** Apart from ids of headings and from formulas, what a format rewrites must not be code where the site reads it otherwise. */
function listHiddenCode(written: string, prepared: string): CodeItem[] {
  const lines = prepared.split('\n')
  return written.split('\n').flatMap((text, index) => {
    const isHidden = text !== lines[index] && /[{<]/.test(text.replace(harmless, ''))
    return isHidden ? [{ kind: 'expression' as const, text, line: index + 1 }] : []
  })
}

const harmless =
  /<!--|\{#[\w.:-]+\}[ \t]*$|\{\/\*[ \t]*#[\w.:-]+[ \t]*\*\/\}[ \t]*$|\$\$[^$]{1,2000}\$\$|\$[^$\n]{1,2000}\$/g

function checkImage(path: string, before: string | null, after: string): Fault[] {
  const old = before === null ? [] : listSvgCode(before)
  const items = listAdded(old.map(keyOf), listSvgCode(after), keyOf)
  return items.map(({ text }) =>
    refuse(
      'image-unsafe',
      { path, line: null },
      `The image contains ${quote(text)}, which runs or fetches something.`,
      'Leave it out.',
    ),
  )
}

function describePages(pages: RegExp): string {
  return pages.test('a.mdx') ? (pages.test('a.md') ? '.md and .mdx files' : '.mdx files') : '.md files'
}

const meanings: Readonly<Record<CodeItem['kind'], string>> = {
  import: 'imports',
  export: 'exports',
  expression: 'evaluates',
  attribute: 'runs code by',
  element: 'uses the unknown or active element',
  address: 'links to the harmful address',
  include: 'reads the file',
  template: 'has the template expression',
  frontmatter: 'sets',
  character: 'contains the invisible character',
  fence: 'runs the code block',
}

function refuseCode(path: string, { kind, text, line }: CodeItem): Fault {
  const what = `The page newly ${meanings[kind]} ${quote(text)}.`
  const shown = kind === 'template' ? ' (on a site of Jekyll, between {% raw %} and {% endraw %})' : ''
  return refuse('code-added', { path, line }, what, `Leave it out, or show it as code in a fenced block${shown}.`)
}

const quote = (text: string) => `\`${text.replace(/\s+/g, ' ').replaceAll('`', "'").slice(0, 120)}\``

function refuseImage(path: string): Fault {
  const reason = `${path} would hold text and not an image.`
  return refuse('image-unsafe', { path, line: null }, reason, 'Move or delete images, but do not write them.')
}

function refuseProtected(path: string, reason: string): Fault {
  const message = `${path} is ${reason}, which documentation changes must not touch. Remove it from the change.`
  return makeFault({ rule: 'path-protected', path, line: null, message, detail: '' })
}

function refusePath(path: string, reason: string): Fault {
  return refuse(
    'path-not-allowed',
    { path, line: null },
    `${path} is ${reason}.`,
    'Leave it as it is and name it as not done.',
  )
}

function refuse(
  rule: ChangeRule,
  { path, line }: { path: string; line: number | null },
  reason: string,
  remedy = 'Undo that.',
): Fault {
  const message = `${reason} ${remedy} An owner can allow this path in the settings of the site.`
  return makeFault({ rule, path, line, message, detail: reason })
}
