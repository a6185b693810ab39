import { createHash } from 'node:crypto'
import {
  describeCatalog,
  describeRegistryEntry,
  describeServerCard,
  describeSkills,
  mcpServerCardType,
} from '../../sites/agent-catalog.ts'
import { AppError } from '../../contract/app-error.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { AppContext, DocentServer } from '../app-env.ts'
import { apiVersion } from '../openapi.ts'
import { agentAddresses, findSiteSkill } from '../resources/site-skill.ts'
import type { ServerDeps } from '../server-deps.ts'

/** The site that `/` leads to, whose files are also at the root of the origin. */
export const rootSite = 'docs'

interface AgentFile {
  /** Below the address of the site. */
  paths: readonly string[]
  /** Whether scanners also look for it at the root of the origin. */
  isAtRoot?: true
  type: string
  /** How long a copy counts as current. Default: none. */
  maxAgeSeconds?: number
  write(deps: ServerDeps, site: LiveSite): Promise<string> | object
}

const markdown = 'text/markdown; charset=utf-8'
const json = 'application/json'

const agentFiles: readonly AgentFile[] = [
  {
    paths: ['/skill.md', '/.well-known/agent-skills/:name/SKILL.md'],
    isAtRoot: true,
    type: markdown,
    write: async (deps, site) => (await findSiteSkill(deps, site)).text,
  },
  {
    paths: ['/.well-known/agent-skills/index.json'],
    isAtRoot: true,
    type: json,
    write: async (deps, site) => JSON.stringify(describeSkills(await findSiteSkill(deps, site))),
  },
  {
    paths: ['/mcp/server-card', '/.well-known/mcp/server-card.json', '/.well-known/mcp.json'],
    type: mcpServerCardType,
    isAtRoot: true,
    maxAgeSeconds: 3_600,
    write: (deps, site) => describeServerCard(site, agentAddresses(deps, site), apiVersion),
  },
  {
    paths: ['/mcp/server.json'],
    type: json,
    write: (deps, site) => describeRegistryEntry(site, agentAddresses(deps, site), apiVersion),
  },
  {
    paths: ['/.well-known/ai-catalog.json', '/.well-known/ard.json'],
    isAtRoot: true,
    type: 'application/ai-catalog+json',
    maxAgeSeconds: 3_600,
    write: (deps, site) => describeCatalog(site, agentAddresses(deps, site)),
  },
]

/** Files by which programs find out what a site offers them. Any page may read them. */
export function addAgentFiles(app: DocentServer, deps: ServerDeps): void {
  for (const file of agentFiles) {
    for (const path of file.paths) {
      app.get(`/sites/:domain${path}`, (c) => sendFile(c, deps, file, c.req.param('domain') ?? ''))
      if (file.isAtRoot) app.get(path, (c) => sendFile(c, deps, file, rootSite))
    }
  }
}

async function sendFile(c: AppContext, deps: ServerDeps, file: AgentFile, domain: string): Promise<Response> {
  const site = await deps.sites.find(domain)
  if (site === null)
    throw new AppError('site_not_found', `There is no site ${domain.slice(0, 200)}. Check the address.`)
  const name = c.req.param('name')
  if (name !== undefined && name !== (await findSiteSkill(deps, site)).name) {
    throw new AppError('page_not_found', `This site has no skill ${name.slice(0, 200)}. See the index of its skills.`)
  }
  const written = await file.write(deps, site)
  const body = typeof written === 'string' ? written : JSON.stringify(written)
  c.header('Content-Type', file.type)
  c.header('Access-Control-Allow-Origin', '*')
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('ETag', `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`)
  c.header('Cache-Control', file.maxAgeSeconds === undefined ? 'no-cache' : `public, max-age=${file.maxAgeSeconds}`)
  return c.body(body)
}
