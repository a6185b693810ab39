import { z } from 'zod'
import { siteCreateSchema } from './admin.ts'

const { source, credential } = siteCreateSchema.shape

export const sourceCheckRequestSchema = z
  .object({
    site: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'Id or slug of a site, to check its stored source and credential.' }),
    source: source
      .partial({ kind: true })
      .optional()
      .meta({ description: 'Source of a new site; without `kind`, the host is detected from the address.' }),
    credential,
  })
  .refine(({ site, source }) => (site === undefined) !== (source === undefined), {
    error: 'requires either a site or a source',
  })
  .meta({ id: 'SourceCheckRequest' })

export const sourceCheckStepSchema = z
  .object({
    name: z.enum(['host', 'repository', 'credential', 'permission', 'branch', 'documentation']),
    /** Subject of the step, such as the name of a permission. */
    subject: z.string().nullable().meta({ description: 'For a permission, its name on the host.' }),
    state: z
      .enum(['passed', 'warning', 'failed', 'skipped'])
      .meta({ description: '`warning`: the site can be read, but something else will not work.' }),
    message: z.string().meta({ description: 'What was found or what to do, in a sentence.' }),
  })
  .meta({ id: 'SourceCheckStep' })

export const sourceCheckSchema = z
  .object({
    source: source
      .nullable()
      .meta({ description: 'The source in the form that sites use; null if there is no repository at the address.' }),
    canRead: z.boolean().meta({ description: 'Whether a site can be read from it.' }),
    canPropose: z.boolean().meta({ description: 'Whether the agent can open pull requests.' }),
    steps: z.array(sourceCheckStepSchema),
  })
  .meta({ id: 'SourceCheck' })

export const siteWebhookSchema = z
  .object({
    url: z.string().meta({ description: 'Where the host should send events.' }),
    secret: z.string().meta({ description: 'Signing secret. Every call returns the same one.' }),
  })
  .meta({ id: 'SiteWebhook' })

export const siteWebhookSetupSchema = z
  .object({
    state: z.enum(['added', 'updated', 'app', 'by-hand']).meta({
      description:
        "`app`: the organization's GitHub App reports changes through its own webhook. `by-hand`: somebody must enter the address and secret.",
    }),
    message: z.string().meta({ description: 'What was done or what to do, in a sentence.' }),
  })
  .meta({ id: 'SiteWebhookSetup' })

export type SourceCheckRequest = z.output<typeof sourceCheckRequestSchema>
export type SourceCheckStep = z.output<typeof sourceCheckStepSchema>
export type SourceCheck = z.output<typeof sourceCheckSchema>
export type SiteWebhookSetup = z.output<typeof siteWebhookSetupSchema>
export type SiteWebhookResource = z.output<typeof siteWebhookSchema>
