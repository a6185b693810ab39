import { z } from 'zod'

/** Most characters of what a reader writes into a field, by its kind. */
export const handOverCharsMax = { text: 200, email: 254, paragraphs: 4_000 } as const

const fieldKinds = ['text', 'email', 'paragraphs'] as const

const fieldSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,29}$/, { error: 'is not a name of at most 30 lower-case letters, digits and hyphens' }),
    label: z.string().trim().min(1).max(60),
    kind: z.enum(fieldKinds).meta({ description: 'One line, an e-mail address to reply to, or several lines.' }),
    required: z.boolean(),
  })
  .meta({ id: 'HandOverField' })

export type HandOverField = z.output<typeof fieldSchema>

/** What readers are asked, and where it goes. */
export const handOverSettingsSchema = z
  .strictObject({
    fields: z
      .array(fieldSchema)
      .min(1)
      .max(8)
      .refine((fields) => new Set(fields.map(({ name }) => name)).size === fields.length, {
        error: 'contains two fields of the same name',
      }),
    emails: z
      .array(z.email().max(254))
      .max(5)
      .meta({ description: 'Recipients by e-mail. Needs `DOCENT_SMTP_URL` and `DOCENT_MAIL_FROM`.' }),
    issues: z.boolean().meta({ description: "Whether to open an issue in the site's repository." }),
  })
  .meta({ id: 'HandOverSettings' })

export type HandOverSettings = z.output<typeof handOverSettingsSchema>

/** The form, for pages with the widget. */
export const handOverFormSchema = z.object({ fields: z.array(fieldSchema) })
