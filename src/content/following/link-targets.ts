import { posix } from 'node:path'
import type { OutlinePage, SiteOutline } from '../checks/site-outline.ts'
import { decodeAddress, isPageFile, pagePathOf, resolveSourcePath } from '../trees/source-path.ts'
import { normalizeAddress } from '../links/path-patterns.ts'

/** Folders whose files a site serves at its root. */
const staticFolders = new Set(['public', 'static'])

/** Tells which file of a site the links of its pages lead to. */
export class LinkTargets {
  readonly #outline: SiteOutline
  readonly #paths: ReadonlySet<string>
  readonly addresses: ReadonlyMap<string, string>
  readonly #served: readonly string[]

  constructor(outline: SiteOutline) {
    this.#outline = outline
    this.#paths = new Set(outline.tree.paths)
    this.addresses = new Map([...outline.routes].map(([address, file]) => [file, address]))
    const folders = [...this.#paths].flatMap((path) =>
      path
        .split('/')
        .slice(0, -1)
        .map((_, index, all) => all.slice(0, index + 1)),
    )
    const named = folders.filter((parts) => staticFolders.has(parts.at(-1) ?? '') && parts.length <= 4)
    this.#served = ['', ...new Set(named.map((parts) => `${parts.join('/')}/`))]
  }

  /** The address of a page; null for other files. */
  addressOf(file: string): string | null {
    return this.addresses.get(file) ?? null
  }

  /**
   * The file that a link leads to: a page, an image, a snippet. Null if it leads nowhere or leaves the site.
   *
   * @param destination Without query and anchor.
   */
  async find(file: string, destination: string): Promise<string | null> {
    if (destination === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(destination)) return null
    return (await this.#findPage(file, destination)) ?? this.#findFile(file, decodeAddress(destination))
  }

  async #findPage(file: string, destination: string): Promise<string | null> {
    const { routes, library } = this.#outline
    const page = await this.#outline.page(file)
    const from: Pick<OutlinePage, 'file' | 'path'> = page ?? { file, path: pagePathOf(file) }
    const resolved = library.dialect.resolveLink(destination, from)
    const address = resolved === null ? null : normalizeAddress(decodeAddress(resolved.replace(/[?#].*$/, '')))
    return address === null ? null : (routes.get(address) ?? null)
  }

  #findFile(file: string, destination: string): string | null {
    const written = destination.replace(/^@site\//, '/')
    if (written.startsWith('/')) {
      const path = resolveSourcePath('', written)
      const candidates = this.#served.map((folder) => `${folder}${path ?? ''}`)
      return candidates.find((candidate) => this.#paths.has(candidate)) ?? this.#withExtension(path)
    }
    return this.#withExtension(resolveSourcePath(file, written))
  }

  #withExtension(path: string | null): string | null {
    if (path === null) return null
    return [path, `${path}.mdx`, `${path}.md`].find((candidate) => this.#paths.has(candidate)) ?? null
  }
}

/** A link that leads elsewhere from now on. */
export interface MovedLink {
  /** The page with the link, before and after. */
  file: string
  fileNow: string
  destination: string
  /** Its target before and after. */
  target: string
  targetNow: string
}

/**
 * How a link is to be written so that it leads to its target again, in the style that it has.
 *
 * @returns Null if it leads there as it is, or no way of writing it does.
 */
export async function rewriteLink(
  { before, after }: { before: LinkTargets; after: LinkTargets },
  link: MovedLink,
): Promise<string | null> {
  if ((await after.find(link.fileNow, link.destination)) === link.targetNow) return null
  for (const candidate of listSpellings({ before, after }, link)) {
    if ((await after.find(link.fileNow, candidate)) === link.targetNow) return candidate
  }
  return null
}

/** Ways to write a link, those most alike first. */
function listSpellings({ before, after }: { before: LinkTargets; after: LinkTargets }, link: MovedLink): string[] {
  const { destination, fileNow, target, targetNow } = link
  const isPage = isPageFile(targetNow)
  const ending = /\.(?:mdx?|html)$/i.exec(destination)?.[0] ?? ''
  const slash = /[^/]\/$/.test(destination) ? '/' : ''
  const path = isPage && !/\.mdx?$/i.test(ending) ? bareOf(targetNow) : targetNow
  const relative = relativeTo(posix.dirname(fileNow), path, destination) + slash
  const [old, now] = [before.addressOf(target), after.addressOf(targetNow)]
  const addresses = now === null ? [] : [...shortenAlike(destination, old, now), now]
  const own = after.addressOf(fileNow)
  const rooted = destination.startsWith('@site/')
    ? `@site/${targetNow}`
    : `/${dropStatic(destination, { target, targetNow, path })}`
  const byAddress = addresses.map((address) => (address === '/' ? address : address + ending + slash))
  const beside =
    own === null || now === null
      ? []
      : [relativeTo(posix.dirname(own), now, destination), relativeTo(own, now, destination)].map((way) => way + slash)
  const absolute = [...byAddress, rooted, ...byAddress.map((way) => way.replace(ending, ''))]
  return destination.startsWith('/') || destination.startsWith('@')
    ? [...absolute, relative]
    : [relative, ...beside, ...absolute]
}

/** Without extension; an index as its folder. */
const bareOf = (file: string) =>
  file
    .replace(/\.mdx?$/i, '')
    .replace(/(^|\/)(?:index|README)$/, '$1')
    .replace(/\/$/, '')

/** The address without what the link leaves out at its start, such as the base of the site. */
function shortenAlike(destination: string, old: string | null, now: string): string[] {
  const written = destination.replace(/\.(?:mdx?|html)$/i, '').replace(/\/+$/, '')
  const left = old?.endsWith(written) === true ? old.slice(0, old.length - written.length) : ''
  return left !== '' && now.startsWith(`${left}/`) ? [now.slice(left.length)] : []
}

/** The path below the folder that is served at the root. */
function dropStatic(
  destination: string,
  { target, targetNow, path }: { target: string; targetNow: string; path: string },
) {
  const left = target.length - destination.replace(/^\//, '').length
  const folder = left > 0 && target.endsWith(destination) ? target.slice(0, left) : ''
  return targetNow.startsWith(folder) ? path.slice(folder.length) : path
}

function relativeTo(folder: string, path: string, style: string): string {
  const relative = posix.relative(folder, path)
  if (relative === '') return './'
  return relative.startsWith('.') || !style.startsWith('.') ? relative : `./${relative}`
}
