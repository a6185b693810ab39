import type { SiteQueries } from '../../agent/checks/job-site-reader.ts'
import {
  listChangedFiles,
  type PullRequestRange,
  readPullRequestRange,
} from '../../codehost/builtin/pull-request-range.ts'
import { AppError } from '../../contract/app-error.ts'
import type { ChangedAddresses } from '../../contract/pull-request-view.ts'
import { type DiffSide, diffSides } from '../../contract/pull-request-review.ts'
import { showImages } from '../../content/images/show-images.ts'
import { imageTypeOf } from '../../content/images/image-type.ts'
import { quotePath } from '../../git/repository-path.ts'
import { runGit } from '../../git/run-git.ts'
import type { PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { AppContext } from '../app-env.ts'
import { toErrorReply } from '../replies/error-response.ts'
import { type ComparedPage, renderComparison, renderNoComparison } from '../pages/compare-page.ts'
import { imageHeaders } from '../pages/page-headers.ts'
import type { MarkdownRenderer } from '../pages/text/markdown-renderer.ts'
import { findSitesOfPullRequest } from '../resources/sites-of-pull-request.ts'
import type { ServerDeps } from '../server-deps.ts'
import { setHeaders } from './site-replies.ts'

type RenderedPage = NonNullable<SiteQueries['render']['answer']>

/** No script of the page runs, and nothing is loaded but our style and images of the repository. */
const comparisonPolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"

const imageBytesMax = 16 * 1024 * 1024

/** Sends a changed page as readers see it before and after, or why not, for a frame of the pull request's page. */
export async function sendComparison(
  c: AppContext,
  deps: ServerDeps & { renderer: MarkdownRenderer },
  record: PullRequestRecord,
): Promise<Response> {
  c.header('Content-Security-Policy', comparisonPolicy)
  try {
    const page = await comparePage(c, deps, record)
    return c.html(page)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return c.html(await renderNoComparison(error.message), toErrorReply(error, c.get('requestId')).status)
  }
}

async function comparePage(
  c: AppContext,
  deps: ServerDeps & { renderer: MarkdownRenderer },
  record: PullRequestRecord,
) {
  const { signal } = c.req.raw
  const path = c.req.query('path') ?? ''
  const range = await readPullRequestRange(deps.host, record.id, signal)
  const files = await listChangedFiles(range, signal)
  const file = files.find((each) => each.path === path)
  const site = (await findSitesOfPullRequest(deps, range.repository)).find((each) => isInSite(each, path))
  if (file === undefined || site === undefined) throw notAPage(path)
  const changed = new Set(files.map((each) => each.path))
  const [before = null, after = null] = await Promise.all(
    diffSides.map(async (side) => {
      // The same address on both sides unless it changed: other addresses count as a change of the page.
      const addressOfImage = (image: string) => {
        return `image?${new URLSearchParams({ side: changed.has(image) ? side : 'after', path: image })}`
      }
      if (file.kind === (side === 'before' ? 'added' : 'deleted')) return null
      const own = side === 'before' ? (file.previousPath ?? path) : path
      const page = await readPage(deps, { range, site, side, path: own }, signal)
      return page && renderPage(deps, page, (image) => addressOfImage(folderOf(site) + image))
    }),
  )
  if (before === null && after === null) throw notAPage(path)
  return renderComparison(before, after)
}

function isInSite(site: Site, path: string): boolean {
  return path.startsWith(folderOf(site))
}

/** With a slash at its end; empty for the root. */
function folderOf({ source: { subdirectory } }: Site): string {
  return subdirectory === '' ? '' : `${subdirectory}/`
}

function notAPage(path: string): AppError {
  return new AppError('page_not_found', `${quotePath(path)} is not a changed page of a site. Read its source instead.`)
}

interface PageToRead {
  range: PullRequestRange
  site: Site
  side: DiffSide
  /** From the root of the repository. */
  path: string
}

function readPage(deps: ServerDeps, { range, site, side, path }: PageToRead, signal: AbortSignal) {
  const moment = momentOf(range, site, side)
  return deps.pageChecks.ask('render', { ...moment, path: path.slice(folderOf(site).length) }, signal)
}

/** The site as it is in one of the two commits. */
function momentOf({ gitDirectory, ...commits }: PullRequestRange, { source: { subdirectory } }: Site, side: DiffSide) {
  const headCommit = commits[side]
  return { gitDirectory, subdirectory, headCommit, overlay: { base: headCommit, files: [] } }
}

async function renderPage(
  { renderer }: { renderer: MarkdownRenderer },
  { title, text, images = [] }: RenderedPage,
  addressOf: (image: string) => string,
): Promise<ComparedPage> {
  const shown = showImages({ markdown: text, images }, addressOf)
  const rendered = await renderer.render({ markdown: stripTitle(title, shown), base: '' })
  if (rendered.kind === 'rendered') return { title, blocks: rendered.blocks }
  throw new AppError('overloaded', 'This page takes too long to show. Read its source instead, or try again later.')
}

/** Plain Markdown repeats its title as the first heading. */
function stripTitle(title: string, text: string): string {
  const [heading = ''] = text.split('\n', 1)
  return heading.startsWith('# ') && heading.slice(2).trim() === title ? text.slice(heading.length) : text
}

/** Sends an image of one side of the change. */
export async function sendImage(c: AppContext, deps: ServerDeps, record: PullRequestRecord): Promise<Response> {
  const { signal } = c.req.raw
  const { side: given, path = '' } = c.req.query()
  const side = diffSides.find((each) => each === given) ?? 'after'
  const type = imageTypeOf(path)
  if (type === null || path.length > 4_096 || /[\n\0]/.test(path)) throw imageNotFound()
  const { gitDirectory, [side]: commit } = await readPullRequestRange(deps.host, record.id, signal)
  const args = ['cat-file', 'blob', '--end-of-options', `${commit}:${path}`]
  const { exitCode, stdout } = await runGit({ gitDirectory, args, signal }, { outputBytesMax: imageBytesMax })
  if (exitCode !== 0) throw imageNotFound()
  setHeaders(c, { ...imageHeaders, 'Content-Type': type })
  return c.body(new Uint8Array(stdout))
}

function imageNotFound(): AppError {
  return new AppError('not_found', 'The change has no such image on this side. Check its path.')
}

const addressesMax = 500

/** The addresses of pages that a change adds, removes or moves, in all sites of its repository. */
export async function listChangedAddresses(
  deps: ServerDeps,
  record: PullRequestRecord,
  signal: AbortSignal,
): Promise<ChangedAddresses> {
  const range = await readPullRequestRange(deps.host, record.id, signal)
  const files = await listChangedFiles(range, signal)
  const addresses: ChangedAddresses['addresses'] = []
  for (const site of await findSitesOfPullRequest(deps, range.repository)) {
    const [before, after] = await Promise.all(
      diffSides.map(async (side) => deps.pageChecks.ask('map', momentOf(range, site, side), signal)),
    )
    const start = folderOf(site).length
    const moved = new Map(
      files.map(({ path, previousPath }) => [(previousPath ?? path).slice(start), path.slice(start)]),
    )
    const routes = { before: before?.routes ?? [], after: after?.routes ?? [], moved }
    addresses.push(...compareRoutes(routes).map((each) => ({ site: site.slug, ...each })))
  }
  return { addresses: addresses.slice(0, addressesMax), total: addresses.length }
}

interface Routes extends Record<DiffSide, readonly (readonly [address: string, file: string])[]> {
  /** Path before → path after. */
  moved: ReadonlyMap<string, string>
}

function compareRoutes({ before, after, moved }: Routes) {
  const [old, current] = [new Map(before), new Map(after)]
  const added = after.filter(([address]) => !old.has(address))
  const addedBy = new Map(added.map(([address, file]) => [file, address]))
  const removed = before
    .filter(([address]) => !current.has(address))
    .map(([address, file]) => ({ before: address, after: addedBy.get(moved.get(file) ?? file) ?? null, file }))
  const taken = new Set(removed.map(({ after: address }) => address))
  const fresh = added.filter(([address]) => !taken.has(address))
  return [...removed, ...fresh.map(([address, file]) => ({ before: null, after: address, file }))]
}
