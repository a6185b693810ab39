import { z } from 'zod'
import { siteCreateSchema } from './admin.ts'
import { repositoryKinds } from './code-hosts.ts'
import { timestamp } from './timestamp.ts'

const { source: siteSource, credential } = siteCreateSchema.shape

/** A repository that is only read. Folders and crawls do not qualify. */
const kind = z.enum(repositoryKinds)
const source = siteSource
  .extend({ kind })
  .meta({ id: 'ContextRepositorySource', description: 'Source of the repository, in the same form as that of a site.' })

export const contextRoles = ['reference', 'product'] as const
export type ContextRole = (typeof contextRoles)[number]

const role = z.enum(contextRoles).meta({
  description:
    'A `product` is what the site documents: its changes are compared with the pages. The agent reads either kind.',
})

const name = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, {
    error: 'may contain up to 40 lower-case letters, digits and hyphens, and neither starts nor ends with a hyphen',
  })
  .meta({ description: 'The agent reads its files as `@name/path`. Cannot be changed.' })

export const contextRepositoryCreateSchema = z
  .object({ name, source, credential, role: role.default('reference') })
  .meta({ id: 'ContextRepositoryCreate' })
export type ContextRepositoryCreate = z.output<typeof contextRepositoryCreateSchema>

export const contextRepositoryUpdateSchema = z
  .object({
    source: source.optional(),
    role: role.optional(),
    credential: credential.meta({ description: "Null removes it. So does changing the source's address." }),
  })
  .meta({ id: 'ContextRepositoryUpdate' })
export type ContextRepositoryUpdate = z.output<typeof contextRepositoryUpdateSchema>

export const contextRepositorySchema = z
  .object({
    id: z.string(),
    siteId: z.string(),
    name: z.string(),
    source,
    role,
    hasCredential: z.boolean(),
    createdAt: timestamp(),
  })
  .meta({ id: 'ContextRepository' })
export type ContextRepositoryResource = z.output<typeof contextRepositorySchema>

export const contextRepositoryCheckedSchema = contextRepositorySchema
  .extend({ commit: z.string().meta({ description: 'The current commit of its branch.' }) })
  .meta({ id: 'ContextRepositoryChecked' })

export const contextRepositoryListSchema = z
  .object({ items: z.array(contextRepositorySchema) })
  .meta({ id: 'ContextRepositoryList' })
