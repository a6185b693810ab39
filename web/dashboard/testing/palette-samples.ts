import type { FoundObject } from '../../../src/contract/operations/objects.ts'
import type { CommandContext } from '../shell/palette/page-commands.ts'
import { makeSite } from './samples.ts'

/** What the owner's phrases are about. */
export const sites = [
  makeSite(),
  ...['Hono', 'Acme Help'].map((name) =>
    makeSite({
      id: name,
      name,
      slug: name.toLowerCase().replace(' ', '-'),
      source: { kind: 'git', location: 'https://example.com/docs.git', ref: null, subdirectory: '' },
    }),
  ),
]
export const found = (kind: FoundObject['kind'], title: string, detail: string): FoundObject => ({
  kind,
  title,
  detail,
  id: `${kind}_1`,
  siteId: kind === 'conversation' ? 'Hono' : null,
  path: null,
})
export const objects = [
  found('key', 'Shop website', 'wxyz'),
  found('job', 'Fix the typo in the quickstart', 'docent/fix-typo'),
  found('conversation', 'How do I raise the rate limit?', 'Hono'),
  found('pull-request', 'Document the Retry-After header', 'default/docs #12'),
  found('member', 'Grace Hopper', 'grace@example.com'),
]
export const context: CommandContext = { organizationId: 'default', sites, may: () => true, go: async () => {} }
