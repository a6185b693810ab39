import { isPageFile } from '../../content/trees/source-path.ts'
import { AppError } from '../../contract/app-error.ts'
import type { SavedOverlay } from '../../git/overlay/overlay.ts'
import type { FollowingChange } from '../checks/job-site-reader.ts'
import type { AgentToolDeps } from './agent-tool.ts'

type ChangeDeps = Pick<AgentToolDeps, 'overlay' | 'askSite'>

export async function writeText(
  { overlay }: Pick<AgentToolDeps, 'overlay'>,
  path: string,
  text: string,
): Promise<void> {
  await overlay.write(path, new TextEncoder().encode(text))
}

/** Writes what follows from a change. @throws {AppError} if it may not be made. */
export async function writeFollowing(deps: ChangeDeps, following: FollowingChange): Promise<string[]> {
  if (following.refusal !== null) throw new AppError('invalid_request', following.refusal)
  for (const [path, text] of following.files) await writeText(deps, path, text)
  return following.files.map(([path]) => path).sort()
}

const heading = /^ {0,3}(?:#{1,6}\s|<h[1-6])|^(?:=+|-+)\s*$/

/** Whether the headings of a page differ. */
export function hasOtherHeadings(before: string, after: string): boolean {
  const list = (text: string) =>
    text
      .split('\n')
      .filter((line) => heading.test(line))
      .join('\n')
  return list(before) !== list(after)
}

/**
 * Lets links follow headings that were renamed.
 *
 * @param before The files before the change.
 * @param paths Pages whose headings changed.
 */
export async function followHeadings(
  deps: ChangeDeps,
  { before, paths }: { before: SavedOverlay; paths: readonly string[] },
  signal: AbortSignal,
): Promise<{ updated: string[]; notes: string[] }> {
  const pages = paths.filter(isPageFile)
  if (pages.length === 0) return { updated: [], notes: [] }
  const following = await deps.askSite('anchors', { before, paths: pages }, signal)
  return { updated: await writeFollowing(deps, following), notes: following.notes }
}
