import { z } from 'zod'

/** Longest instructions of a site's owner that are used. */
const ownInstructionsCharsMax = 4_000

const isWebAddress = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

const supportContact = z
  .union([z.email(), z.string().refine(isWebAddress)], {
    error: 'is neither an e-mail address nor an http or https address',
  })
  .refine((text) => text.length <= 300 && /^[^\s<>()[\]\\`"|]+$/.test(text), {
    error: 'is longer than 300 characters, or holds spaces, brackets or quotes',
  })

/** Most of something in a UTC day, or `unlimited` where somebody decided that there is no ceiling. */
export type Ceiling = number | 'unlimited'

function ceilingSchema(amount: z.ZodNumber | z.ZodInt) {
  return z.union([amount, z.literal('unlimited')]).nullable()
}

/** @returns The ceiling of a site: its own, or that of the installation where it has none; null: no ceiling. */
export function chooseCeiling(own: Ceiling | null, ofInstallation: Ceiling): number | null {
  const ceiling = own ?? ofInstallation
  return ceiling === 'unlimited' ? null : ceiling
}

/** What the owner of a site decides about its assistant. */
export const siteSettingsSchema = z
  .strictObject({
    instructions: z
      .string()
      .trim()
      .max(ownInstructionsCharsMax)
      .nullable()
      .meta({ description: 'What the model is told besides its own instructions.' }),
    dailyCostUsdMax: ceilingSchema(z.number().min(0).max(1_000_000)).meta({
      description:
        'Most US dollars that answers may cost in one UTC day; beyond that, the offline model answers. `unlimited`: no ceiling. Null: `DOCENT_SITE_COST_PER_DAY`.',
    }),
    dailyTokensMax: ceilingSchema(z.int().min(0).max(1_000_000_000_000)).meta({
      description:
        'Most tokens of models without a known price in one UTC day; beyond that, the offline model answers. `unlimited`: no ceiling. Null: `DOCENT_SITE_TOKENS_PER_DAY`.',
    }),
    suggestions: z
      .boolean()
      .meta({ description: 'Whether answers end with links to further pages, in a fenced block named `suggestions`.' }),
    supportContact: supportContact.nullable().meta({
      description:
        'An e-mail address or a web address that is offered when a question stays unanswered. The thread id is added to a web address as `threadId`.',
    }),
  })
  .meta({ id: 'SiteSettings' })

export type SiteSettings = z.output<typeof siteSettingsSchema>

/** Changes the settings that are given. */
export const siteSettingsUpdateSchema = siteSettingsSchema.partial().meta({ id: 'SiteSettingsUpdate' })

const defaults: SiteSettings = {
  instructions: null,
  dailyCostUsdMax: null,
  dailyTokensMax: null,
  suggestions: false,
  supportContact: null,
}

/** Asked for with every answer, of the few sites that a process serves. */
const known = new WeakMap<Readonly<Record<string, unknown>>, SiteSettings>()

/** The settings of a site as they are stored, which is not changed afterwards. One that cannot be used, or is not known here, counts as not given. */
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
