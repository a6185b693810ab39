import { z } from 'zod'
import { digestSettingsSchema } from './weekly-digest.ts'
import { handOverSettingsSchema } from './hand-over-settings.ts'

/** Longest owner instructions that are used, in characters. */
export const ownInstructionsCharsMax = 4_000

const isWebAddress = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

const supportContact = z
  .union([z.email(), z.string().refine(isWebAddress)], {
    error: 'is neither an e-mail address nor an http or https address',
  })
  .refine((text) => text.length <= 300 && /^[^\s<>()[\]\\`"|]+$/.test(text), {
    error: 'is longer than 300 characters, or contains spaces, brackets or quotes',
  })

/** A limit per UTC day, or `unlimited` as an explicit choice. */
export type Ceiling = number | 'unlimited'

function ceilingSchema(amount: z.ZodNumber | z.ZodInt) {
  return z.union([amount, z.literal('unlimited')]).nullable()
}

/** @returns The site's own ceiling, else that of the installation; null for no ceiling. */
export function chooseCeiling(own: Ceiling | null, ofInstallation: Ceiling): number | null {
  const ceiling = own ?? ofInstallation
  return ceiling === 'unlimited' ? null : ceiling
}

/** Settings of a site's assistant, chosen by its owner. */
export const siteSettingsSchema = z
  .strictObject({
    instructions: z
      .string()
      .trim()
      .max(ownInstructionsCharsMax)
      .nullable()
      .meta({ description: "Instructions for the model, in addition to Docent's own." }),
    dailyCostUsdMax: ceilingSchema(z.number().min(0).max(1_000_000)).meta({
      description:
        'Maximum cost of answers per UTC day, in US dollars; beyond that, the offline model answers. `unlimited`: no ceiling. Null: `DOCENT_SITE_COST_PER_DAY`.',
    }),
    dailyTokensMax: ceilingSchema(z.int().min(0).max(1_000_000_000_000)).meta({
      description:
        'Maximum number of tokens per UTC day for models without a known price; beyond that, the offline model answers. `unlimited`: no ceiling. Null: `DOCENT_SITE_TOKENS_PER_DAY`.',
    }),
    suggestions: z
      .boolean()
      .meta({ description: 'Whether answers come with links to related pages, as a `data-suggestions` part.' }),
    agentPaths: z.array(z.string().trim().min(1).max(200)).max(50).meta({
      description:
        'Files besides pages, images and navigation that the agent may change, and pages that may gain code, as patterns in `.gitignore` syntax. Matching files can run when the site is built or read. Automation, lock files, instructions to agents and secrets stay refused.',
    }),
    gapJobReaders: z.int().min(1).max(10_000).nullable().meta({
      description:
        'A gap that this many readers have asked about gets an agent job that opens a draft pull request; null: only people start such jobs.',
    }),
    driftJobsPerDay: z.int().min(0).max(50).meta({
      description:
        'Maximum draft pull requests per UTC day for certain renames in the product, which need no model. 0: only people start them.',
    }),
    gapJobsPerDay: z.int().min(1).max(50).meta({ description: 'Maximum of these jobs per UTC day.' }),
    allowedSecrets: z
      .array(z.string().regex(/^[0-9a-f]{64}$/, { error: 'is no SHA-256 in lower-case hexadecimal digits' }))
      .max(200)
      .meta({
        description:
          'SHA-256 hashes of values that only look like secrets, which the agent may write. The refusal of a value gives its hash.',
      }),
    suiteAsksModel: z.boolean().meta({
      description:
        "Whether the tests in `docent.tests.yaml` are asked with the site's model after each sync, within its ceilings, rather than with the offline model. The questions that a pull request affects are then also asked with it, before and after, if both daily ceilings are set and the pull request is not from a fork.",
    }),
    requiresNoneWorse: z.boolean().meta({
      description:
        'Whether a pull request may be merged only if it makes no answer worse: a required check on the built-in host, a failed status on others.',
    }),
    answersByAddress: z.boolean().meta({
      description:
        'Whether the Markdown address of a public page answers the question in its parameter `ask`, without a key and within the limits of the public key of served pages. Anybody can write such an address, and every answer costs money.',
    }),
    supportContact: supportContact.nullable().meta({
      description:
        'An e-mail address or URL to offer when a question cannot be answered. URLs get the thread id as `threadId`.',
    }),
    handOver: handOverSettingsSchema.nullable().meta({
      description: 'The form with which readers write to the people behind the site; null if there is none.',
    }),
    digest: digestSettingsSchema.nullable().meta({
      description:
        'The weekly digest, sent on Mondays: by e-mail, as the webhook `digest.created`, and to the channels of bots that are told of questions without an answer. Null: none is sent.',
    }),
  })
  .meta({ id: 'SiteSettings' })

export type SiteSettings = z.output<typeof siteSettingsSchema>

/** Changes only the given settings. */
export const siteSettingsUpdateSchema = siteSettingsSchema.partial().meta({ id: 'SiteSettingsUpdate' })

const defaults: SiteSettings = {
  instructions: null,
  dailyCostUsdMax: null,
  dailyTokensMax: null,
  suggestions: false,
  agentPaths: [],
  gapJobReaders: null,
  gapJobsPerDay: 3,
  driftJobsPerDay: 0,
  allowedSecrets: [],
  suiteAsksModel: false,
  requiresNoneWorse: false,
  answersByAddress: false,
  supportContact: null,
  handOver: null,
  digest: null,
}

/** Read for every answer, of the few sites that a process serves. */
const known = new WeakMap<Readonly<Record<string, unknown>>, SiteSettings>()

/** The settings of a stored site. Treat them as immutable. Unusable and unknown values count as unset. */
export function readSiteSettings(stored: Readonly<Record<string, unknown>>): SiteSettings {
  const before = known.get(stored)
  if (before !== undefined) return before
  const given = Object.entries(siteSettingsSchema.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(stored[name])
    return parsed.success ? [[name, parsed.data] as const] : []
  })
  const settings = { ...defaults, ...Object.fromEntries(given) }
  known.set(stored, settings)
  return settings
}
