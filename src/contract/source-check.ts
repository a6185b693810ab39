import { z } from 'zod'
import { siteCreateSchema } from './admin.ts'

const { source, credential } = siteCreateSchema.shape

export const sourceCheckRequestSchema = z
  .object({
    site: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'Id or slug of a site, whose stored source and credential are checked.' }),
    source: source
      .partial({ kind: true })
      .optional()
      .meta({ description: 'What a new site would be read from; without `kind` the host is found by its address.' }),
    credential,
  })
  .refine(({ site, source }) => (site === undefined) !== (source === undefined), {
    error: 'needs either a site or a source',
  })
  .meta({ id: 'SourceCheckRequest' })

export const sourceCheckStepSchema = z
  .object({
    name: z.enum(['host', 'repository', 'credential', 'permission', 'branch', 'documentation']),
    /** What of the step, such as the name of a permission. */
    subject: z.string().nullable().meta({ description: 'Of a permission, what the host calls it.' }),
    state: z
      .enum(['passed', 'warning', 'failed', 'skipped'])
      .meta({ description: '`warning`: the site can be read, but something else will not work.' }),
    message: z.string().meta({ description: 'A sentence that says what was found, or what to do.' }),
  })
  .meta({ id: 'SourceCheckStep' })

export const sourceCheckSchema = z
  .object({
    source: source
      .nullable()
      .meta({ description: 'The source as a site takes it; null where no repository was found at the address.' }),
    canRead: z.boolean().meta({ description: 'Whether a site can be read from it.' }),
    canPropose: z.boolean().meta({ description: 'Whether the agent can open pull requests.' }),
    steps: z.array(sourceCheckStepSchema),
  })
  .meta({ id: 'SourceCheck' })

export const siteWebhookSchema = z
  .object({
    url: z.string().meta({ description: 'Where the host sends its events.' }),
    secret: z.string().meta({ description: 'Signs them. The same at every call.' }),
  })
  .meta({ id: 'SiteWebhook' })

export const siteWebhookSetupSchema = z
  .object({
    state: z.enum(['added', 'updated', 'app', 'by-hand']).meta({
      description:
        '`app`: the GitHub App of the organization tells of changes by its own webhook. `by-hand`: somebody enters the address and the secret.',
    }),
    message: z.string().meta({ description: 'A sentence that says what was done, or what to do.' }),
  })
  .meta({ id: 'SiteWebhookSetup' })

export type SourceCheckRequest = z.output<typeof sourceCheckRequestSchema>
export type SourceCheckStep = z.output<typeof sourceCheckStepSchema>
export type SourceCheck = z.output<typeof sourceCheckSchema>
export type SiteWebhookSetup = z.output<typeof siteWebhookSetupSchema>
export type SiteWebhookResource = z.output<typeof siteWebhookSchema>
