import type { z } from 'zod'
import type { Client } from '../client/create-client.ts'
import type { siteCreateSchema } from '../contract/admin.ts'
import type { SourceCheck } from '../contract/source-check.ts'
import { askSecret, canAsk } from './ask-secret.ts'
import type { Output } from './output.ts'

type Source = z.input<typeof siteCreateSchema>['source']
type Credential = NonNullable<z.input<typeof siteCreateSchema>['credential']>

/** What a site is made of, once its code host is known. */
export interface ConnectedSource {
  source: Source
  credential: Credential | null
}

const marks = { passed: 'ok  ', warning: '!!  ', failed: 'NO  ', skipped: '-   ' } as const

/** The steps of a check as people read them. */
export function describeSteps({ steps }: SourceCheck): string {
  return steps.map(({ name, subject, state, message }) => `  ${marks[state]}${subject ?? name}: ${message}`).join('\n')
}

/**
 * Finds out whether the address of a repository is on a code host that takes pull requests, tries every permission out and
 * says what is missing. Asks for a token where nothing is stored and somebody can be asked.
 *
 * @returns The source as it was given, where its host is none of those: it can be read all the same.
 * @throws {Error} when the repository cannot be read.
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
    throw new Error('The repository cannot be read. Mend what is marked NO, and try again.')
  }
  if (!check.canPropose) {
    output.progress('The site can be read. The agent opens pull requests once what is marked !! is mended.')
  }
  return { source: check.source, credential: given }
}

function lacksCredential({ steps }: SourceCheck): boolean {
  return steps.some(({ name }) => name === 'credential')
}

function askForToken({ source }: SourceCheck): Promise<string> {
  const host = new URL(source?.location ?? '').host
  return askSecret(`Token for ${host} (not shown; empty to read only what is public): `)
}
