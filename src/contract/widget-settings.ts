import { z } from 'zod'
import { colorSchema } from './color.ts'
import { handOverFormSchema } from './hand-over-settings.ts'

const shortText = (charsMax: number) => z.string().trim().min(1).max(charsMax)

/** Modifiers and a key, such as `mod+i`, or `none`. */
const hotkey = z
  .string()
  .max(60)
  .regex(/^(?:(?:mod|ctrl|cmd|meta|alt|shift)\+){0,4}[^\s+]{1,20}$/i, {
    error: 'is not a combination such as mod+i or /, or none',
  })

const starterSchema = z.strictObject({
  path: z
    .string()
    .max(200)
    .regex(/^\/(?!\/)[^\s*?#]*\*?$/, { error: 'is not a path such as /guides/install, or /guides/* for all below it' })
    .meta({ description: 'Path of a page, or of all pages below it if it ends with `*`.' }),
  questions: z.array(shortText(200)).min(1).max(5),
})

/** How the widget of a site looks and behaves, as its owner sets it. Attributes of the script tag take precedence. */
export const widgetSettingsSchema = z
  .object({
    label: shortText(40)
      .nullable()
      .meta({ description: 'Text of the button. Null: `Ask` in the language of the page.' }),
    placeholder: shortText(80).nullable().meta({ description: 'Hint in the empty field. Null: the default.' }),
    accentLight: colorSchema
      .nullable()
      .meta({ description: "Accent color on light pages. Null: the organization's, or Docent's." }),
    accentDark: colorSchema.nullable().meta({ description: "Accent color on dark pages. Null: Docent's." }),
    position: z.enum(['right', 'left']).meta({ description: 'Position of the button and the panel in the window.' }),
    mode: z.enum(['panel', 'modal']).meta({ description: 'Beside the page, which stays usable, or over it.' }),
    theme: z.enum(['auto', 'light', 'dark']).meta({ description: '`auto` follows the page.' }),
    hotkey: hotkey.nullable().meta({
      description: 'Such as `mod+k` or `/`, which then takes precedence over the page, or `none`. Null: `mod+i`.',
    }),
    language: z
      .string()
      .max(35)
      .regex(/^(?:auto|[a-z]{2,3}(?:-[a-z0-9]{1,8})*)$/i, { error: 'is not a language such as de or pt-BR, or auto' })
      .meta({ description: 'Language of its texts. `auto`: that of the page.' }),
    starters: z.array(starterSchema).max(20).meta({
      description: 'Suggested first questions. The first entry that matches the page applies.',
    }),
    links: z.enum(['same-tab', 'new-tab']).meta({ description: 'Where links in answers open.' }),
    disclaimer: shortText(300).nullable().meta({ description: 'Note below answers. Null: the default.' }),
    disclaimerTone: z.enum(['quiet', 'prominent', 'none']).meta({ description: 'How visible the note is.' }),
    codeAsk: z.boolean().meta({ description: 'Whether code blocks on the page get a button that asks about them.' }),
    history: z.boolean().meta({ description: 'Whether readers find their earlier conversations again.' }),
    openIn: z.boolean().meta({ description: 'Whether an answer can be continued in other assistants.' }),
  })
  .meta({ id: 'WidgetSettings' })

export type WidgetSettings = z.output<typeof widgetSettingsSchema>

/** What applies where the owner has set nothing. */
export const widgetDefaults: Readonly<WidgetSettings> = {
  label: null,
  placeholder: null,
  accentLight: null,
  accentDark: null,
  position: 'right',
  mode: 'panel',
  theme: 'auto',
  hotkey: null,
  language: 'auto',
  starters: [],
  links: 'same-tab',
  disclaimer: null,
  disclaimerTone: 'quiet',
  codeAsk: false,
  history: true,
  openIn: true,
}

/** Changes only the given settings; null restores the default of one. */
export const widgetSettingsUpdateSchema = z
  .strictObject(nullable(widgetSettingsSchema.shape))
  .partial()
  .meta({ id: 'WidgetSettingsUpdate' })

export type WidgetSettingsUpdate = z.output<typeof widgetSettingsUpdateSchema>

type Nullable<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodType ? z.ZodNullable<Shape[Name]> : never
}

function nullable<Shape extends z.ZodRawShape>(shape: Shape): Nullable<Shape> {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z.nullable(schema)])
  return Object.fromEntries(entries) as Nullable<Shape> // `fromEntries` loses which schema belongs to which name.
}

/** What the script on a page reads at its start. */
export const widgetSetupSchema = z
  .object({
    settings: widgetSettingsSchema,
    handOver: handOverFormSchema
      .nullable()
      .meta({ description: 'The form with which readers write to the people behind the site, or null.' }),
    contact: z.string().nullable().meta({ description: 'E-mail address or URL to offer, or null.' }),
    key: z
      .string()
      .nullable()
      .meta({ description: "The site's public key, if it may be used on the requesting page." }),
    problem: z
      .object({ code: z.enum(['origin_not_allowed', 'key_revoked']), message: z.string() })
      .nullable()
      .meta({ description: 'Why there is no key, for the person who runs the page. Null if there is one.' }),
  })
  .meta({ id: 'WidgetSetup' })

export type WidgetSetup = z.output<typeof widgetSetupSchema>

/** The settings of a site from those that are stored. Unusable and unknown values count as unset. */
export function readWidgetSettings(stored: Readonly<Record<string, unknown>>): WidgetSettings {
  const given = Object.entries(widgetSettingsSchema.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(stored[name])
    return parsed.success ? [[name, parsed.data] as const] : []
  })
  return { ...widgetDefaults, ...Object.fromEntries(given) }
}
