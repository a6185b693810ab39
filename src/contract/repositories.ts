import { z } from 'zod'
import { pageOf } from './page-of.ts'
import { timestamp } from './timestamp.ts'

export const repositorySchema = z
  .object({
    id: z.string(),
    name: z.string().meta({ description: 'The organization and the name, such as `default/docs`.' }),
    defaultBranch: z.string(),
    cloneUrl: z.string().meta({ description: 'For git, with an admin key as the password.' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'Repository' })

export const repositoryListSchema = pageOf(repositorySchema, 'RepositoryList')

export const repositoryCreateSchema = z
  .object({
    name: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
        error: 'may contain only a-z, 0-9 and -, has at most 63 characters, and neither starts nor ends with -',
      })
      .meta({ description: 'Name of the repository within the organization.' }),
    from: z.string().min(1).max(4_096).meta({
      description: 'Absolute path of a folder or git repository on the server, to import files from.',
    }),
    ref: z
      .string()
      .max(255)
      .nullish()
      .meta({ description: 'The branch, tag or commit to import. Default: the current branch.' }),
  })
  .meta({ id: 'RepositoryCreate' })

export const ownerLinkSchema = z
  .object({
    url: z.string().meta({ description: 'Signs the owner in. Works once.' }),
    expiresAt: timestamp(),
  })
  .meta({ id: 'OwnerLink' })

export type RepositoryResource = z.output<typeof repositorySchema>
