import { z } from 'zod'

/** Metadata of a setting. */
export interface SettingMeta {
  /** The environment variable. The key in `docent.config.json` is the schema's own. */
  env: string
  description: string
  /** Shown if the default is computed rather than a fixed value. */
  defaultText?: string
  /** Never printed. */
  isSecret?: boolean
}

/** Attaches metadata to the schema of a setting. */
export const setting = <T extends z.ZodType>(schema: T, meta: SettingMeta): T => schema.meta({ ...meta })

export const whole = (minimum: number, maximum: number) =>
  z.coerce
    .number({ error: 'is not a whole number' })
    .int({ error: 'is not a whole number' })
    .min(minimum, { error: `is below ${minimum}` })
    .max(maximum, { error: `is above ${maximum}` })

export const limit = () => whole(1, 1_000_000_000)

export const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'is not an http or https address such as https://docs.example.com',
})

/** An address that others are shown, and that paths are appended to. */
export const publicUrl = httpUrl
  .refine((text) => !/[?#]|\/\/[^/]*@/.test(text), { error: 'has a password, a query or a fragment. Leave it out' })
  .transform((url) => url.replace(/\/+$/, ''))

export const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'is not an address such as postgres://user:password@host:5432/docent',
})

/** Keys chosen by an operator must be as hard to guess as generated ones. */
export const chosenKey = (pattern: RegExp, article: string, prefix: string) =>
  z.string().regex(pattern, {
    error: `is not ${article}: it starts with ${prefix} followed by 32 or more letters, digits, - or _`,
  })

/** The provider of a model, or a named endpoint such as `compat.groq`. */
const providerName = String.raw`[a-z0-9-]+(?:\.[a-z0-9-]+)?`

export const modelId = z.string().regex(new RegExp(String.raw`^${providerName}\/\S+$`), {
  error: 'is not of the form provider/model, such as openai/gpt-5 or docent/offline',
})

const listedModel = String.raw`${providerName}\/[^\s,]+`

export const modelList = (error: string) =>
  z.string().regex(new RegExp(String.raw`^\s*${listedModel}(?:\s*,\s*${listedModel})*\s*$`), { error })

/** `true` or `false`, given as a word in the environment. */
export const flag = (byDefault: boolean) =>
  z
    .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })], { error: 'is neither true nor false' })
    .default(byDefault)

export const dollars = (amount: number) =>
  z.coerce
    .number({ error: 'is not a number' })
    .min(0.01, { error: 'is below 0.01' })
    .max(1_000_000, { error: 'is above 1000000' })
    .default(amount)

/** An amount, or the word `unlimited`. */
export const ceiling = (maximum: number) =>
  z.union([z.literal('unlimited'), z.coerce.number().min(0).max(maximum)], {
    error: `is neither a number from 0 to ${maximum} nor unlimited`,
  })

const price = String.raw`\d+(?:\.\d+)?`
const priceEntry = String.raw`${providerName}\/[^\s,=]*=${price}:${price}(?::${price}){0,2}`
export const priceList = z.string().regex(new RegExp(String.raw`^\s*${priceEntry}(?:\s*,\s*${priceEntry})*\s*$`), {
  error: 'is not a list such as openai/gpt-5=1.25:10, in US dollars per million tokens of input and output',
})

/** A setting with several values: an object in `docent.config.json`, and its JSON in the environment. */
export const jsonObject = <T extends z.ZodType>(schema: T, example: string) =>
  z.unknown().transform((given, context): z.output<T> => {
    const value = typeof given === 'string' ? parseJson(given) : given
    const parsed = value === undefined ? null : schema.safeParse(value)
    if (parsed?.success === true) return parsed.data
    // Not the value itself: it may contain keys.
    const reasons = parsed?.error.issues.map(describeIssue) ?? []
    const reason = parsed === null ? 'is not JSON' : `is refused: ${reasons.join('; ')}`
    context.addIssue({ code: 'custom', message: `${reason}. An example: ${example}` })
    return z.NEVER
  })

function describeIssue(issue: z.core.$ZodIssue): string {
  const { message } = (issue.code === 'invalid_key' ? issue.issues[0] : undefined) ?? issue
  return `${issue.path.join('.')} ${message}`.trim()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
