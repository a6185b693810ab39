import { locateSite } from '../../content/formats/site-formats.ts'
import {
  describeUse,
  followMove,
  type FollowedLinks,
  type LinkUse,
  unlinkFile,
} from '../../content/following/follow-move.ts'
import { readStateAfter, readStateBefore, type SiteState } from '../../content/checks/site-state.ts'
import { editNavigation, readNavigationOf, type SiteToNavigate } from '../../content/navigation/edit-navigation.ts'
import { listEntries, listGroups } from '../../content/navigation/find-entries.ts'
import type { NavigationChange } from '../../content/navigation/navigation-change.ts'
import { readPageTitle } from '../../content/pages/page-title.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { isPageFile } from '../../content/trees/source-path.ts'
import { Overlay, type SavedOverlay } from '../../git/overlay/overlay.ts'
import { followAnchors } from '../../content/following/follow-anchors.ts'
import { type SiteAnswer, SiteAnswerer } from '../asking/answer-over-site.ts'
import type { OpenTrees, TreePlace } from './open-trees.ts'
import { renderHiddenPage, renderSitePage, type RenderedPage } from './render-site-page.ts'

/** The files of a job at one moment. */
export interface SiteMoment extends TreePlace {
  /** The commit below the overlay. */
  headCommit: string
  overlay: SavedOverlay
}

/** What the tools need to know of a site: how it names its pages. */
export interface SiteMap {
  /** Name and label of the format. */
  format: string
  label: string
  /** Of new pages. */
  extension: '.md' | '.mdx'
  /** Address → file. */
  routes: [address: string, file: string][]
}

/** Changes of other files that follow from one. */
export interface FollowingChange {
  /** Path → text. */
  files: [path: string, text: string][]
  /** Sentences about what was done, and what could not be done. */
  notes: string[]
  /** Why nothing may be done; null otherwise. */
  refusal: string | null
}

/** An entry of the navigation, for lists. */
export interface ListedGroup {
  group: string
  file: string
  pages: string[]
}

/** What can be asked about the site of a job, and what is answered. */
export interface SiteQueries {
  map: { ask: SiteMoment; answer: SiteMap }
  'list-navigation': { ask: SiteMoment; answer: { groups: ListedGroup[]; notes: string[] } }
  navigation: { ask: SiteMoment & { change: NavigationChange }; answer: FollowingChange }
  /** Whether a page shows in the navigation, by an entry or by itself. */
  'is-listed': { ask: SiteMoment & { page: string }; answer: { isListed: boolean } }
  /** The overlay is that after the move. */
  move: { ask: SiteMoment & { before: SavedOverlay; from: string; to: string }; answer: FollowingChange }
  /** The overlay is that after the deletion. */
  delete: {
    ask: SiteMoment & { before: SavedOverlay; path: string; redirectTo: string | null }
    answer: FollowingChange
  }
  /** Headings of these pages have changed since. */
  anchors: { ask: SiteMoment & { before: SavedOverlay; paths: string[] }; answer: FollowingChange }
  ask: { ask: SiteMoment & { question: string }; answer: SiteAnswer }
  render: { ask: SiteMoment & { path: string }; answer: RenderedPage | null }
}

export type SiteQuery = { [Kind in keyof SiteQueries]: { kind: Kind } & SiteQueries[Kind]['ask'] }[keyof SiteQueries]

const groupsMax = 200
const usesNamedMax = 10

/** Answers what a job's tools ask about its site. CPU-bound: runs in the thread of the checks. */
export class JobSiteReader {
  readonly #trees: OpenTrees
  readonly #answerer = new SiteAnswerer()

  constructor(trees: OpenTrees) {
    this.#trees = trees
  }

  async answer(query: SiteQuery, signal: AbortSignal): Promise<SiteQueries[keyof SiteQueries]['answer']> {
    // These two read the files themselves.
    if (query.kind === 'render') return this.#render(query, signal)
    if (query.kind === 'ask') return this.#answerer.answer(await this.#files(query), query.question, signal)
    const now = await this.#read(query, query.overlay, signal)
    switch (query.kind) {
      case 'map':
        return describeMap(now)
      case 'list-navigation':
        return listNavigation(now)
      case 'navigation':
        return toFollowing(await editNavigation(navigationSite(now, now), query.change))
      case 'is-listed':
        return isListed(now, query.page)
      case 'move':
        return this.#move(await this.#read(query, query.before, signal), now, query, signal)
      case 'delete':
        return this.#delete(await this.#read(query, query.before, signal), now, query, signal)
      case 'anchors':
        return toFollowing(await followAnchors(await this.#read(query, query.before, signal), now, query.paths, signal))
    }
  }

  async #render(query: SiteQueries['render']['ask'], signal: AbortSignal): Promise<RenderedPage | null> {
    const page = await renderSitePage(await this.#files(query), query.path, signal)
    return page ?? renderHiddenPage((await this.#read(query, query.overlay, signal)).outline, query.path)
  }

  async #files(query: SiteMoment): Promise<FileTree> {
    const head = await this.#trees.open(query, query.headCommit)
    const overlay = Overlay.restore(head, query.overlay)
    return overlay.changes().length === 0 ? head : overlay.snapshot()
  }

  /** The site of a job with an overlay. */
  async #read(place: SiteMoment, saved: SavedOverlay, signal: AbortSignal): Promise<SiteState> {
    const head = await this.#trees.open(place, place.headCommit)
    const state = await readStateBefore(head, signal)
    const overlay = Overlay.restore(head, saved)
    const changed = new Set(
      overlay
        .changes()
        .flatMap(({ path, previousPath }) => [path, ...(previousPath === undefined ? [] : [previousPath])]),
    )
    return changed.size === 0 ? state : readStateAfter(state, { after: overlay.snapshot(), changed }, signal)
  }

  async #move(
    before: SiteState,
    now: SiteState,
    { from, to }: SiteQueries['move']['ask'],
    signal: AbortSignal,
  ): Promise<FollowingChange> {
    const links = await followMove({ before: before.outline, after: now.outline }, { from, to }, signal)
    const navigation =
      isPageFile(from) && isPageFile(to)
        ? await editNavigation(navigationSite(before, now), { action: 'follow', page: from, to, isRedirected: true })
        : null
    return mergeChanges(links, navigation)
  }

  async #delete(
    before: SiteState,
    now: SiteState,
    { path, redirectTo }: SiteQueries['delete']['ask'],
    signal: AbortSignal,
  ): Promise<FollowingChange> {
    const isPage = new Set(before.outline.routes.values()).has(path)
    const both = { before: before.outline, after: now.outline }
    // Whether a file that others use may go is the walls' decision.
    const follow = () =>
      redirectTo === null
        ? unlinkFile(both, path, signal)
        : followMove(both, { from: path, to: redirectTo, isReplaced: true }, signal)
    const links = isPage ? await follow() : { files: new Map<string, string>(), left: [] }
    const change = { action: 'remove', page: path } as const
    return mergeChanges(links, isPage ? await editNavigation(navigationSite(before, now), change) : null)
  }
}

async function isListed(state: SiteState, page: string): Promise<{ isListed: boolean }> {
  const navigation = await readNavigationOf(navigationSite(state, state))
  const isNamed = navigation === null || listEntries(navigation, page).length > 0
  return { isListed: isNamed || navigation.describeAutomatic(page) !== null }
}

function nameUses(uses: readonly LinkUse[]): string {
  const left = uses.length - usesNamedMax
  return uses.slice(0, usesNamedMax).map(describeUse).join(', ') + (left > 0 ? ` and ${left} more` : '')
}

/** A page that moved is found by its old address, and named by its new one. */
function navigationSite(before: SiteState, { outline }: SiteState): SiteToNavigate {
  const { tree, format, routes } = outline
  const all = new Map([...before.outline.routes, ...routes])
  const { root } = locateSite(new Set(tree.paths))
  const addressOf = (from: ReadonlyMap<string, string>) => [...from].map(([address, file]) => [file, address] as const)
  const addresses = new Map([...addressOf(before.outline.routes), ...addressOf(routes)])
  return { tree, format, root, routes: all, addresses, titleOf: (file) => readPageTitle(tree, file) }
}

function describeMap({ outline }: SiteState): SiteMap {
  const { format, routes, tree } = outline
  const pages = tree.paths.filter(isPageFile)
  const mdx = pages.filter((path) => /\.mdx$/i.test(path)).length
  const takesMdx = format.writes.pages.test('a.mdx')
  const isMdx = takesMdx && (mdx * 2 > pages.length || (mdx === pages.length && format.writes.code === 'mdx'))
  return { format: format.name, label: format.label, extension: isMdx ? '.mdx' : '.md', routes: [...routes] }
}

async function listNavigation(state: SiteState): Promise<SiteQueries['list-navigation']['answer']> {
  const navigation = await readNavigationOf(navigationSite(state, state))
  if (navigation === null) {
    return { groups: [], notes: [`The navigation of ${state.outline.format.label} cannot be edited.`] }
  }
  const all = listGroups(navigation.groups)
  const groups = all.slice(0, groupsMax).map(({ trail, container, entries }) => ({
    group: trail.join(' > '),
    file: container.file,
    pages: entries.flatMap(({ names }) => names.map(({ file }) => file)),
  }))
  const computed = navigation.computed.map(
    ({ file, line }) => `${file} line ${line} is code, which only people can change.`,
  )
  const cut = all.length > groupsMax ? [`${all.length - groupsMax} more groups are not shown.`] : []
  const redirects = typeof navigation.redirects === 'string' ? [navigation.redirects] : []
  return { groups: groups.filter(({ pages }) => pages.length > 0), notes: [...computed, ...redirects, ...cut] }
}

interface Notes {
  files: ReadonlyMap<string, string>
  notes: readonly string[]
  refusal: string | null
}

function toFollowing({ files, notes, refusal }: Notes): FollowingChange {
  return { files: [...files], notes: [...notes], refusal }
}

function mergeChanges({ files, left }: FollowedLinks, navigation: Notes | null): FollowingChange {
  const notes = [
    ...(navigation?.notes ?? []),
    ...(navigation?.refusal == null ? [] : [navigation.refusal]),
    ...(left.length === 0 ? [] : [`These uses are left as they are: ${nameUses(left)}. Correct them by hand.`]),
  ]
  return { files: [...files, ...(navigation?.files ?? [])], notes, refusal: null }
}
