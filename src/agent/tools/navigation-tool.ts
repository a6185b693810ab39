import { z } from 'zod'
import type { NavigationChange } from '../../content/navigation/navigation-change.ts'
import { AppError } from '../../contract/app-error.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { writeFollowing } from './change-files.ts'
import { findFile } from './find-file.ts'

const inputSchema = z.strictObject({
  action: z.enum(['show', 'add', 'move', 'remove', 'title', 'redirect']),
  path: z.string().optional().describe('The page; for "redirect" the old address.'),
  group: z.string().optional().describe('Title of a group, such as "Guides > Advanced".'),
  newGroup: z.boolean().optional().describe('Make the group if there is none.'),
  after: z.string().optional().describe('Place the page after this one.'),
  before: z.string().optional(),
  title: z.string().optional().describe('Title of the entry, or for "title" of the page or group.'),
  to: z
    .string()
    .optional()
    .describe('For "redirect": the page of this site that readers come to, also with "#anchor".'),
})

type Input = z.output<typeof inputSchema>

/** Shows and changes the navigation and redirects of a site in any format. */
export function createNavigationTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'navigation',
    description:
      'Shows or changes the navigation (sidebar) and redirects, whatever the format of the site. The only way to change them where they are code.',
    inputSchema,
    resultCharsMax: 30_000,
    async run(input, signal) {
      if (input.action === 'show') {
        const { groups, notes } = await deps.askSite('list-navigation', {}, signal)
        return { groups: groups.map((group) => ({ ...group })), notes }
      }
      const change = await readChange(deps, input, signal)
      const following = await deps.askSite('navigation', { change }, signal)
      return { updated: await writeFollowing(deps, following), notes: following.notes }
    },
  }
}

async function readChange(deps: AgentToolDeps, input: Input, signal: AbortSignal): Promise<NavigationChange> {
  const { action, path, group, newGroup, title, to } = input
  const find = async (name: string | undefined) => (name === undefined ? undefined : findFile(deps, name, signal))
  if (action === 'redirect') {
    if (path === undefined || to === undefined) throw missing('"path", the old address, and "to"')
    const url = URL.parse(to)
    // A page of this site may have the same path.
    if (url !== null && !mayBeHost(deps, url.host))
      throw new AppError('invalid_request', `${to} is not on this site. Give the path of a page. Nothing was changed.`)
    const [anchor = ''] = /#[^\s#]+$/.exec(to) ?? []
    return { action, from: readAddress(path), to: await findFile(deps, to, signal), anchor }
  }
  if (action === 'title') {
    if (title === undefined || (path === undefined && group === undefined))
      throw missing('"title", and "path" or "group"')
    const page = await find(path)
    return { action, title, ...(page === undefined ? { group: group ?? '' } : { page }) }
  }
  const page = await find(path)
  if (page === undefined || action === 'show') throw missing('"path"')
  if (action === 'remove') return { action, page }
  const [after, before] = [await find(input.after), await find(input.before)]
  const place = {
    ...(group !== undefined && { group }),
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
  }
  const isPlaced = Object.keys(place).length > 0
  if (action === 'move' && !isPlaced) throw missing('"group", "after" or "before"')
  return action === 'move'
    ? { action, page, ...place }
    : {
        action: 'add',
        page,
        ...place,
        ...(title !== undefined && { title }),
        ...(newGroup === true && { isNewGroup: true }),
      }
}

/** Any host may be that of a site whose own address nobody has set: its pages are served here. */
function mayBeHost({ site }: AgentToolDeps, host: string): boolean {
  return site !== null && (site.url.endsWith(`/sites/${site.slug}`) || URL.parse(site.url)?.host === host)
}

/** The path of an address, with a slash before it. */
function readAddress(address: string): string {
  const url = URL.parse(address)
  if (url !== null && !/^https?:$/.test(url.protocol)) throw missing('the path of an old address')
  const path = url?.pathname ?? address.replace(/[?#].*$/, '')
  return `/${path.replace(/^\/+|\/+$/g, '').replace(/\.mdx?$/i, '')}`
}

function missing(what: string): AppError {
  return new AppError('invalid_request', `Give ${what}. Nothing was changed.`)
}
