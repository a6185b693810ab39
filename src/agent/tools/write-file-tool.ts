import { dirname, extname } from 'node:path/posix'
import { z } from 'zod'
import { isPageFile } from '../../content/trees/source-path.ts'
import { AppError } from '../../contract/app-error.ts'
import { quotePath } from '../../git/repository-path.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import { decodeText } from '../../git/trees/decode-text.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { followHeadings, hasOtherHeadings, writeFollowing, writeText } from './change-files.ts'
import { findFile, isReserved, placeAmongPages, readNewFile, readNewPath } from './find-file.ts'
import { findLineEnd, withLineEnd } from './text-file.ts'

const inputSchema = z.strictObject({
  path: z.string().min(1).describe('Such as "guides/install"; a new page gets the extension of the site.'),
  content: z.string().describe('The whole file.'),
  append: z.boolean().optional().describe('Add the content to the end of the file.'),
  listed: z.boolean().optional().describe('Name a new page in the navigation, beside the pages of its folder.'),
  group: z.string().optional().describe('Name it in this group of the navigation.'),
})

/** Writes a whole file. */
export function createWriteFileTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'write',
    description: 'Writes a whole file, new or in the place of what is there. For a part of a file use "edit".',
    inputSchema,
    resultCharsMax: 3_000,
    async run({ path: name, content, append = false, listed, group }, signal) {
      const path = await findExisting(deps, name, signal)
      if (path !== null) return overwrite(deps, path, { content, append, listed }, signal)
      return writeNewText(deps, { path: name, content, listed: listed ?? group !== undefined, group }, signal)
    },
  }
}

/** The file that a name stands for; null if the file is new. */
async function findExisting(deps: AgentToolDeps, name: string, signal: AbortSignal): Promise<string | null> {
  const path = readNewPath(deps, name)
  if (deps.overlay.has(path)) return path
  // A name with an extension is the path of a file.
  if (/\.\w{1,8}$/.test(path)) return null
  return findFile(deps, name, signal).catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
}

interface Overwriting {
  content: string
  append: boolean
  listed: boolean | undefined
}

async function overwrite(deps: AgentToolDeps, path: string, input: Overwriting, signal: AbortSignal) {
  const before = decodeText(await deps.overlay.read(path))
  const lineEnd = before === null ? '\n' : findLineEnd(before)
  const written = withLineEnd(input.content, lineEnd)
  const kept =
    before === null || !input.append ? '' : before === '' || before.endsWith('\n') ? before : before + lineEnd
  const saved = deps.overlay.toJSON()
  signal.throwIfAborted()
  await writeText(deps, path, kept + written)
  const paths = before !== null && hasOtherHeadings(before, kept + written) ? [path] : []
  const { updated, notes } = await followHeadings(deps, { before: saved, paths }, signal)
  const listing = input.listed === true && isPageFile(path) ? await listPage(deps, path, undefined, signal) : null
  return {
    path,
    updated: [...updated, ...(listing?.updated ?? [])],
    written: input.append ? 'to the end of the file that was there' : 'over the file that was there',
    lines: (kept + written).split('\n').length,
    ...noteOf([...notes, ...(listing?.notes ?? [])]),
  }
}

const noteOf = (notes: readonly string[]) => (notes.length > 0 ? { note: notes.join(' ') } : {})

interface NewFile {
  path: string
  content: string
  listed?: boolean | undefined
  group?: string | undefined
}

/** Writes a file that is not there yet. A page without extension gets that of the site's pages. */
export async function writeNewText(
  deps: Pick<AgentToolDeps, 'overlay' | 'askSite' | 'subdirectory' | 'site'>,
  { path: name, content, listed = false, group }: NewFile,
  signal: AbortSignal,
) {
  const bare = readNewFile(deps, name)
  if (deps.overlay.has(bare)) {
    throw new AppError(
      'invalid_request',
      `There is a file ${quotePath(bare)} already. Edit it, or choose another path.`,
    )
  }
  const isWhole = /\.\w{1,8}$/.test(bare) || isReserved(bare)
  const named = isWhole ? bare : bare + (await chooseExtension(deps, bare, signal))
  const path = await placeAmongPages(deps, named, signal)
  signal.throwIfAborted()
  await writeText(deps, path, content)
  const isPage = isPageFile(path)
  const listing = isPage && (listed || group !== undefined) ? await listPage(deps, path, group, signal) : null
  const unlisted = isPage && listing === null ? await describeUnlisted(deps, path, signal) : []
  return {
    path,
    updated: listing?.updated ?? [],
    written: 'a new file',
    lines: content.split('\n').length,
    ...(isPage && { listed: listing?.isListed ?? unlisted.length === 0 }),
    ...noteOf(listing?.notes ?? unlisted),
  }
}

/** That of the pages in its folder, if they agree; else that of the site's pages. */
async function chooseExtension(
  { overlay, askSite }: Pick<AgentToolDeps, 'overlay' | 'askSite'>,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  const beside = overlay.paths().filter((other) => isPageFile(other) && dirname(other) === dirname(path))
  const [extension, another] = new Set(beside.map((other) => extname(other)))
  return extension === undefined || another !== undefined ? (await askSite('map', {}, signal)).extension : extension
}

/** Names a page in the navigation, or says why that is not needed or not possible. */
async function listPage(
  deps: Pick<AgentToolDeps, 'overlay' | 'askSite'>,
  page: string,
  group: string | undefined,
  signal: AbortSignal,
) {
  const change = { action: 'add' as const, page, ...(group !== undefined && { group }) }
  const following = await deps.askSite('navigation', { change }, signal)
  if (following.refusal !== null) {
    return { updated: [], notes: [`The page is not in the navigation: ${following.refusal}`], isListed: false }
  }
  return { updated: await writeFollowing(deps, following), notes: following.notes, isListed: true }
}

async function describeUnlisted(
  deps: Pick<AgentToolDeps, 'askSite'>,
  page: string,
  signal: AbortSignal,
): Promise<string[]> {
  const { isListed } = await deps.askSite('is-listed', { page }, signal)
  return isListed
    ? []
    : ['The page is not in the navigation. Add it with "navigation", unless it is meant to be hidden.']
}
