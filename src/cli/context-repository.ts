import type { z } from 'zod'
import { AppError } from '../contract/app-error.ts'
import type { contextRepositoryCreateSchema, ContextRepositoryResource } from '../contract/context-repositories.ts'
import { isRemoteLocation } from '../git/remotes/remote-url.ts'
import { connectForge } from './connect-forge.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'
import { readCredential } from './read-credential.ts'
import { readSource } from './site-source.ts'

export interface ContextOptions {
  ref?: string
  subdirectory?: string
  /** A file containing a token; `-` for standard input. */
  tokenFile?: string
  tokenUser?: string
  product?: boolean
}

type Source = z.input<typeof contextRepositoryCreateSchema>['source']

/** `docent site context add`: checks the repository, then adds it. */
export async function addContextRepository(
  output: Output,
  { slug, name, location }: { slug: string; name: string; location: string },
  options: ContextOptions,
): Promise<void> {
  const credential = await readCredential(options)
  const role = options.product === true ? 'product' : 'reference'
  const added = await withClient(async (client) => {
    if (/^[a-z0-9-]+\/[a-z0-9-]+$/.test(location)) {
      const { ref = null, subdirectory = '' } = options
      const source: Source = { kind: 'builtin', location, ref, subdirectory }
      return client.addContextRepository({ params: { id: slug }, body: { name, role, source, credential } })
    }
    const named = { source: await readSource(location, options), credential }
    const isAddress = named.source.kind === 'git' && isRemoteLocation(location)
    const { source, credential: given } = isAddress ? await connectForge(client, output, named) : named
    return client.addContextRepository({
      params: { id: slug },
      body: { name, role, source: requireRepository(source), credential: given },
    })
  })
  output.result(added, () => `Added @${added.name} at ${added.commit.slice(0, 12)}. New jobs of ${slug} can read it.`)
}

export async function listContextRepositories(output: Output, slug: string): Promise<void> {
  const { items } = await withClient((client) => client.listContextRepositories({ params: { id: slug } }))
  output.result(items, () =>
    formatTable(['NAME', 'ROLE', 'KIND', 'LOCATION', 'REF', 'SUBDIRECTORY', 'CREDENTIAL'], items.map(toRow)),
  )
}

export async function removeContextRepository(output: Output, slug: string, name: string): Promise<void> {
  await withClient((client) => client.removeContextRepository({ params: { id: slug, name } }))
  output.result({ removed: name }, () => `Removed @${name}.`)
}

function requireRepository(source: { kind: string; location: string }): Source {
  if (source.kind !== 'folder' && source.kind !== 'crawl') return { ...source, kind: source.kind as Source['kind'] }
  throw new AppError(
    'invalid_request',
    `${source.location} is not a git repository. The agent only reads repositories.`,
  )
}

function toRow({ name, role, source, hasCredential }: ContextRepositoryResource): string[] {
  const { kind, location, ref, subdirectory } = source
  return [
    `@${name}`,
    role,
    kind,
    location,
    ref ?? '-',
    subdirectory === '' ? '-' : subdirectory,
    hasCredential ? 'yes' : 'no',
  ]
}
