import type { z } from 'zod'
import type { Client } from '../client/create-client.ts'
import type { siteCreateSchema } from '../contract/admin.ts'
import type { SourceCheck } from '../contract/source-check.ts'
import { askSecret, canAsk } from './ask-secret.ts'
import type { Output } from './output.ts'

type Source = z.input<typeof siteCreateSchema>['source']
type Credential = NonNullable<z.input<typeof siteCreateSchema>['credential']>

/** Source and credential for a new site, once the code host is known. */
export interface ConnectedSource {
  source: Source
  credential: Credential | null
}

const marks = { passed: 'ok  ', warning: '!!  ', failed: 'NO  ', skipped: '-   ' } as const

/** Formats a check, one line per step. */
export function describeSteps({ steps }: SourceCheck): string {
  return steps.map(({ name, subject, state, message }) => `  ${marks[state]}${subject ?? name}: ${message}`).join('\n')
}

/**
 * Detects whether a repository address is on a supported code host, checks every permission and reports what is
 * missing. Prompts for a token if none is stored and a person can be asked.
 *
 * @returns The source as given if its host is not supported: git can still read it.
 * @throws {Error} if the repository cannot be read.
 */
export async function connectForge(
  client: Client,
  output: Output,
  { source, credential }: ConnectedSource,
): Promise<ConnectedSource> {
  const { location, ref = null, subdirectory = '' } = source
  const asked = { location, ref, subdirectory }
  const first = await client.checkSource({ body: { source: asked, credential } })
  if (first.source === null) return { source, credential }
  const token = credential === null && lacksCredential(first) && canAsk(output.isJson) ? await askForToken(first) : ''
  const given = token === '' ? credential : { token }
  const check = token === '' ? first : await client.checkSource({ body: { source: asked, credential: given } })
  output.progress(describeSteps(check))
  if (check.source === null || !check.canRead) {
    throw new Error('The repository cannot be read. Fix the lines marked NO and try again.')
  }
  if (!check.canPropose) {
    output.progress('The site can be read. The agent can open pull requests once the lines marked !! are fixed.')
  }
  return { source: check.source, credential: given }
}

function lacksCredential({ steps }: SourceCheck): boolean {
  return steps.some(({ name }) => name === 'credential')
}

function askForToken({ source }: SourceCheck): Promise<string> {
  const host = new URL(source?.location ?? '').host
  return askSecret(`Token for ${host} (hidden; leave empty for public repositories): `)
}
