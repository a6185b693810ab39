import type { LiveSite } from './live-sites.ts'
import type { SiteSkill } from './site-skill.ts'

/** Where the files for agents are; absolute, without trailing slashes. */
export interface AgentAddresses {
  /** Base of `llms.txt` and of the files below `.well-known`. */
  filesUrl: string
  mcpUrl: string
}

type DescribedSite = Pick<LiveSite, 'slug' | 'name' | 'url'> & { index: Pick<LiveSite['index'], 'header'> }

/** Revisions that the MCP server speaks, newest first. */
const mcpRevisions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const

export const mcpServerCardType = 'application/mcp-server-card+json'

/** As the registry demands it of a description. */
const descriptionCharsMax = 100

/** Discovery 0.2.0 of Agent Skills. `url` is relative to the index. */
export function describeSkills({ name, description, digest }: SiteSkill) {
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [{ name, type: 'skill-md', description, url: `${name}/SKILL.md`, digest }],
  }
}

/** SEP-2127. Names no tools, because those may change with who asks. */
export function describeServerCard(site: DescribedSite, addresses: AgentAddresses, version: string) {
  const remotes = [{ ...describeRemote(addresses), supportedProtocolVersions: mcpRevisions }]
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...describeServer(site, addresses, version),
    remotes,
  }
}

/** `server.json`, as the MCP registry publishes it. */
export function describeRegistryEntry(site: DescribedSite, addresses: AgentAddresses, version: string) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...describeServer(site, addresses, version),
    remotes: [describeRemote(addresses)],
  }
}

function describeServer(site: DescribedSite, { mcpUrl }: AgentAddresses, version: string) {
  const title = titleOf(site).slice(0, descriptionCharsMax)
  const description = `Search, read and ask the documentation of ${title}`.slice(0, descriptionCharsMax)
  return { name: `${reverseHost(mcpUrl)}/${site.slug}`, title, description, version, websiteUrl: site.url }
}

function describeRemote({ mcpUrl }: AgentAddresses) {
  const description = 'Bearer and an assistant key of the site. Only for pages that are not public.'
  const headers = [{ name: 'Authorization', description, isRequired: false, isSecret: true }]
  return { type: 'streamable-http', url: mcpUrl, headers }
}

/** Served under both names: AI catalog 1.0 and ARD 0.91. */
export function describeCatalog(site: DescribedSite, { filesUrl, mcpUrl }: AgentAddresses) {
  const { hostname } = new URL(filesUrl)
  const title = titleOf(site)
  const entry = (name: string, displayName: string, type: string, url: string) => ({
    identifier: `urn:air:${hostname}:${site.slug}:${name}`,
    displayName,
    type,
    url,
  })
  return {
    specVersion: '1.0',
    host: { displayName: title, identifier: hostname, documentationUrl: site.url },
    entries: [
      entry('mcp', `${title}: MCP server`, mcpServerCardType, `${mcpUrl}/server-card`),
      entry('llms-txt', `${title}: list of pages`, 'text/markdown', `${filesUrl}/llms.txt`),
      entry('skill', `${title}: skill`, 'text/markdown', `${filesUrl}/skill.md`),
      entry('skills', `${title}: skills`, 'application/json', `${filesUrl}/.well-known/agent-skills/index.json`),
    ],
  }
}

function titleOf({ name, index }: DescribedSite): string {
  return index.header.siteName || name
}

/** `docs.example.com` is `com.example.docs`. Addresses by number have no reverse. */
function reverseHost(url: string): string {
  const { hostname } = new URL(url)
  return /^[\d.]+$|:/.test(hostname) ? 'localhost' : hostname.split('.').toReversed().join('.')
}
